// SPDX-License-Identifier: BSD-3-Clause

// Package allocsite finds the sites of an allocation profile: the places in the
// program under study where values are made, with all that making them
// allocates, at once or later.
//
// A profile blames the line under which memory was taken. That is the wrong line
// for much of what can be pooled: compress/gzip makes its compressor in the
// first Write, a bytes.Buffer grows in whatever writes to it, and a constructor
// of ten allocations is ten lines of somebody else's code. The sites here are
// found in three steps.
//
//   - The frame: the deepest one of the program. If it is in a constructor of
//     the program itself (newThing, called by the program), its caller.
//   - The owner: if what was allocated is the lazy storage of a value that the
//     frame uses (the stack below the frame goes through a method of the value's
//     type, and from there only through functions that make or grow), the site
//     is where that value was made.
//   - Where that is: the definition of the variable in the frame's function; for
//     a parameter, what the caller on the stack passed; for a field, the value
//     that holds it.
//
// Everything else belongs to the frame's line.
package allocsite
