/** How much memory a process needs, measured in child JVMs that have little of it. */
package dev.standpipe.memory;
