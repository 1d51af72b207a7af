/* The initial values of structures that may grow. */
#define FRANKING_ADDRESS_INIT {sizeof(franking_address), {NULL, 0}, {NULL, 0}, {NULL, 0}}
/*INIT Link*/
/*INIT Notice*/
#define FRANKING_RESPONSE_INIT {sizeof(franking_response), 0, 0, 0, {NULL, 0}}
