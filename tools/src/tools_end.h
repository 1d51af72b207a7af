/* What structures that may grow start from. */
#define FRANKING_ADDRESS_INIT {sizeof(franking_address), {NULL, 0}, {NULL, 0}, {NULL, 0}}
#define FRANKING_LINK_INIT {sizeof(franking_link), {NULL, 0}, {NULL, 0}, {0, 0}, NULL, 0, 0, 0, {0, 0, 0, 0, 0, 0}}
#define FRANKING_RESPONSE_INIT {sizeof(franking_response), 0, 0, 0, {NULL, 0}}
