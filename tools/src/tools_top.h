/*
 * franking_tools.h: what programs around a host need besides franking.h: addresses, domains, HTML, calls to compose,
 * responses to read, outcomes, transcripts to replay, webhooks, and more of the tables.
 *
 * The conventions are those of franking.h. It is the same library. This file is generated and checked in.
 */
