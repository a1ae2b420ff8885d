/** Takes the guards out of the SQL one by one: a check of a contract must notice each. */
package dev.standpipe.conformance.guard;
