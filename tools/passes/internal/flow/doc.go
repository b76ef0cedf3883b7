// SPDX-License-Identifier: BSD-3-Clause

// Package flow follows values from pools through a package.
//
// # What it does
//
// Each function that can touch a pool is a root. The walk (exec.go) follows
// every path of a root over SSA, with a state for the path (state.go), and
// inlines callees of the same package as long as the budget lasts; callees of
// other packages act by their summary, a fact (summary.go), which tells what functions that they return put
// (lentends.go). Values are
// hash-consed symbols (sym.go): two reads of one field on one path are one
// symbol unless something wrote it between, and a condition that was tested
// once has one outcome for the rest of the path; no question about an error (errfacts.go) is
// answered with yes where there is none. That is what makes nil-after-Put
// fields, flags, compare-and-swap, sync.Once and error results correlate
// without rules of their own.
//
// Code that can be written in several ways is brought to one before the SSA form is
// built (normal.go, normalcalls.go, normalvalues.go), or in it (normalslices.go). Rules that take two statements together look past
// what is unrelated to them (unrelated.go) and ask what runs together (arms.go). The test
// TestInvariance of package suite writes all cases in another way and asks for the same reports.
//
// A token is a symbol made by the acquire of a known pool (table.go). Aliases
// are symbols derived from it: fields, elements, slices, appends, boxes, and
// values that hold it (builtins.go tells which functions of the standard
// library give them, insertedelems.go what packages slices and maps put into a container, reflected.go what package reflect sets). A Put (release.go) marks the memory that goes to the
// pool; from then on a read or write through an alias, a second Put, a return,
// a store that outlives the call, or a goroutine that still holds one is a
// finding (report.go), which calls the value what the source calls it and has the places where it was taken and put (naming.go); what a container of the function's own has at any index does where all that
// went into it are pieces of what was put (keptpieces.go). What a call gave for the slice in a header goes to the pool with
// the header that it was stored in (fedback.go). At the exits of a root, tokens that nobody has are lost
// (analysis.go).
//
// Calls of functions of other packages that do nothing but put to the caller's pool or take from it, and
// calls through interfaces that only hold one type's pools, are made calls of the pool's own methods
// first (thin.go); so are calls of method values that a variable or field has (bound.go). Functions that are not followed, for their package has no pool or they have nothing to do
// with it, are told by their source: those that give back, set or slice a parameter (plainalias.go), those
// that may keep one (maykeep.go), those that keep one in a map, slice or list of their receiver's (farstores.go), and
// those that clear one (clearedby.go). Those that may leave one with a goroutine
// are found by their source and followed for that alone (leavers.go).
//
// A channel that one function receives from without waiting, or else makes a value,
// and that another sends its parameter to without waiting, is a pool as well
// (freelist.go), also where it gives nil and its callers make the value (trylists.go), and where a function has these by hand (byhandlists.go): what was sent to it is judged like what was put. So is a slice that one function
// takes an element off, or else makes a value, and that another appends its parameter to, or makes one longer for it
// (slicelist.go), one list for each size (listclasses.go), or an array that is a ring (rings.go), a chain of
// free nodes (freechain.go), or a channel
// between two goroutines that a function starts (locallists.go). What is
// lost on the way to such a pool is reported where other paths put it, or other functions put what they take (listusers.go), or return an object that has it where
// that path returns nothing (withheld.go), or,
// where the pool cannot make it again, have it (filledlist.go): a channel that is filled once, where it
// is made, is such a pool, and one whose users count in another channel what is out.
//
// Four kinds of conclusion need more than a path: those over all gets and puts
// of one pool (content.go), or of one field of its values (stale.go), over all
// functions that touch a field (fields.go), and over calls that follow one
// another on one object (harness.go, lifecycle.go, again.go), which may find nil where the first put (nilagain.go) and
// what it left where another began anew (reopened.go), or in a list (listputagain.go), and over all receivers
// of a channel (drained.go), which several fields may have (chanfields.go), or of its far end that somebody else connects, which may be a variable's (localchans.go). What a field of a pooled struct gathers is judged by all uses of the
// field (unemptied.go: also what a decoder adds to a map, and what only users empty, asidereset.go; readbystd.go, hooksfill.go (not by what others are made with that never go to the pool, staysout.go), addedto.go, keptrefs.go, advanced.go, memogrows.go), also by those of functions that set its length (lengthened.go), and of those that do not reset a digest where others do (digestbeside.go), and what a pooled buffer itself gathers by all names that it has (neveremptied.go), or has left in it where others put it only when it was read to its end (putundrained.go); what was made with the
// struct like the struct (inner.go); fields that are set where they apply, by those who take
// the struct or fill the elements of a slice again, by what else is done with them (partly.go, elemsagain.go; a method that would empty them and that nobody calls is none, unusedreset.go), or by the
// zero elements that are appended where there is no room (zerobeside.go), or the old entries that are filled only where there is nil (oldentries.go), or those that a function sets
// as its input has them (byinput.go). A slice whose length its taker asks for has that of its last use (lenasleft.go). What a reset passes over is told by
// the test that it stands behind (resetbehind.go), what it keeps by who gave it (givenarray.go, givenentries.go, lentback.go), what it forgets by what is given out
// (countedon.go), remembered (memoby.go), counted down (leftcount.go), or set in new objects only (newarm.go), what a table of numbers has
// at an index where it is read before it is set by those who set it (heldover.go), what was never written by the bytes
// that are passed on (unwritten.go), and what one of two pools gives as it came by what the other clears (unclearedbeside.go). Readers and writers that are not reset to a new target are met on the
// paths (untargeted.go) or, in fields, by what guards their uses (targetfield.go); one that was reset has let
// go of what it was made over (retarget.go). The methods that a generic
// wrapper of a pool calls are those of the type that is put (behindtype.go).
// A string that a method makes without a copy of what Close puts is kept for longer than that (stringview.go), and so is a slice that goes to the pool by the name of another field (secondslice.go).
// What a method lends, and both its owner and the borrower release, is judged by the calls,
// as references are not counted (lentout.go). Where all who take a type's values from the pool lend them
// to callbacks and put them after, what a callback puts is put twice (onloan.go), and so is what a
// callback releases of what its caller releases after the call (calledback.go); a goroutine that
// a callback leaves behind uses it too long (outlives.go). What is put and returned in an object whose last method puts it is put twice (closesagain.go). Who finds by CompareAndSwap that a flag is set leaves what the object has to who set it (swaplost.go); who takes a waiter out of a list before signalling it leaves nothing of it there (signalled.go). A path on which a function was given nil, for which it does not ask, loses nothing (nothinggiven.go). A Close that leaves in a field what it puts, where another method
// lets go of that, puts it again when it is called again (letgo.go). A function that nobody in view gives is
// followed into those of the package that are made to be given so (bysignature.go). What is used
// after a reference was counted down (droppedref.go), or the only one that a function has was given up or sent on (onlyreference.go), or was handed on before the function gives it up again (overdrawn.go), or in a second loop over a list of which the first gave
// some elements up (droppedagain.go), is given up by what was made over a list and by the deferred call that has the list (cleanedtwice.go), is passed on where the flag by which a deferred call gives it up was not turned (keptarmed.go), put after a sign for those that wait for it
// (signalput.go), or answered on a channel that has room and that the asker reads out of what is put only then (askedlate.go), is a channel with a value in it (sentput.go), or was a timer's whose Stop nobody
// asked (stopignored.go), is with another goroutine, and so is what
// a map and a goroutine have by one reference (oneforboth.go), what a goroutine puts by a Close that asks nothing and its starter as well (putbyboth.go), and what a loop over a container puts when each was given to somebody who puts it (putagainall.go); what is returned of a pooled struct's own objects
// (lentpart.go) is with its next user, and so is what was just made for a field and is put in place of what it had (madeandput.go). A request asks GetBody
// for its body again after the transport closed it (bodyagain.go), or is sent again with it (resent.go), or the handler that middleware hands
// its writer to (handedwriter.go). Elements that go to a pool in
// place are still their slice's (putinplace.go), and so are those that are cut from a copy of its
// header only (cutcopy.go). What a function evicts from a map and puts, others may have found there
// before, and use when that function has run or the lock was given back, unless they count or flag
// it (evicted.go) or took it out itself (takenout.go), or who added it there keeps it and uses it in a loop (heldbeside.go), and what they return of it when the lock is given back (evictedview.go), which setting a field is not (setsonly.go), and what a function adds to a queue that others
// are woken for is theirs when it is returned (queuedreturn.go), as is what it left in a list that a goroutine puts when a context ends
// (lefttoend.go), what a field keeps of a buffer
// that another one has is lost to who receives that and puts it (keptcuts.go), and what was queued for a writer may still be queued when it is put, or its only reference given up, for waiting too long
// (overdue.go, overduerefs.go); what is taken out of one container and put may be
// in a second one (twohomes.go), or still in the slot that it was taken from (leftinslot.go), in which
// another method, called in any order, finds it (anyorder.go), or in the field that is set to nil only after the Put, when the lock was given back (clearedlate.go), and one that was lent to another type's field belongs to two (twoowners.go). What a list has is put by who found its owner in a field and by who keeps that owner (emptiedbyholder.go; a Reset does the same where a method that puts the elements leaves them, resetagain.go), and what is in a list and in a channel at once loses the part that who empties the list puts (alsoqueued.go), where the two may run beside each other (apart.go). What shares a slice with its owner and is filled in place by the
// next user is the owner's memory (sharedinplace.go). A slice may go to the
// pools of two objects (twopools.go), or of the elements of two lists (sharedslices.go), or be part of what the caller has (callersparts.go). What is set over another value in a list or a map
// takes that with it (overwritten.go), and what was thrown away must not be put as well (thrownaway.go). What is found in a map
// under a lock has to be counted under it, where eviction counts down (latecount.go). A mark in an object that is in the
// pool lasts for nobody (lasting.go). Some misuse is
// told by its form, without a walk: what is swapped out of an atomic pointer and put while
// others read through it (lockfree.go), a reader put from within its own Read (within.go), a slice
// whose elements are put by two functions (drainers.go), pieces of one buffer put one by
// one (pieces.go), or the first of them while others are kept (prefixput.go) or come later in the loop (inturnput.go), a count that is read in a second step (countrace.go), a pool picked by a field that
// was set back before (resetindex.go), or by a size that is asked before the Get only (pickedbysize.go; what is in the value itself may well pick its pool, pickedbyvalue.go), or one to which all that several pools gave ends up (otherhome.go), or the list of an object where all take from that of another one (ownlistonly.go), nodes chained as free with references in them (freenodes.go) or with what their reset forgets (nodereset.go), a
// generic wrapper of a pool that is given what has to be boxed (boxedinst.go), two functions that take from one pool where another one
// is left over (twinpool.go). A method that guards
// its second call by a flag in what it puts puts it twice (asksagain.go), and what one caller passed
// in is wrong for the next taker (lastusers.go), and so is what a setter gave to the one field that a reset leaves out (leftout.go), what is noted there where it would be noted in another field that is set back (lefttwin.go), and what is left of a part of the input that a field counts down
// (countdown.go). Entries that are put and stay in their list, which is put as well, go to two (putelems.go), and so does
// what a field keeps after a Put and is put from there (ownerputs.go, leftinfield.go, lazilyleft.go). Where one Put of a pool has a limit the others need
// it (someput.go), and so do all where methods append text to what is put (addedtext.go), or where the limit is the wrong way round (wronglimit.go) or asks a buffer that was read for the length of the rest (unreadlen.go); a test of a size that
// puts both ways is none (bothways.go), and where all let go of the slice that New makes the pool is of no use
// (noroom.go). What is given as long as it was put has to be cut before a buffer is made over it (wholelength.go). What is appended below a limit that was tested makes nothing large (roomtested.go), nor what is read through a reader that ends after a few bytes (readbound.go), nor what is handed on when it is full (fullbatch.go). A deferred
// call gets what its variable has at the
// defer, which may be nil (boundnil.go), or the slice that a function gives back larger later (grownback.go), or that one out of view may make larger where it is (grownbyothers.go), or one that is empty still, so that clearing it by its length clears nothing (clearsbound.go), or one that is cut shorter than who takes it next relies on (shortened.go; in a field, shortfield.go), or all elements of one of which a loop that returned early has set the first only (unfilled.go). A field that only the
// maker of its object sets is nil for good where that did not (setwheremade.go); who puts a slice in the pool for its capacity puts no nil (fitssize.go). What a list gave
// and a decoder fills has to be cleared (listdecode.go). What pooled values keep
// alive shows in all stores to a field (retained.go,
// vectors.go), in those to elements of slices, unless elements have memory to be used again
// (fullslices.go, hasroom.go; genericclear.go tells what generic code clears), be they cut on take only (cutontake.go), or one by one (poppedtail.go), or put by themselves before the slice is (stillpointed.go), and in all calls of Reset (lent.go), or those of one function where others reset to nothing (lentbeside.go); of what type a value is that
// goes to its pool as an interface, those tell that take it (takenas.go), and what types it may hold,
// those that give it (conflicting.go). A reference that both
// a callee and its caller give up when the callee fails (errtwice.go), and what a goroutine uses that
// nobody can wait for (running.go, runningparts.go), show by the calls as well; one that another goroutine left when it
// ended is waited for by itself (leftrunning.go). Functions that
// get and put by size are run on numbers (simulate.go): what goes in for a capacity, also through an interface that hides the pool, must be enough for what is asked, and
// what was given must come back (sizeclass.go, foreign.go), be the pools channels or lists (listsizes.go); and where all
// have one size, nothing else may go in (fixedsize.go). What is
// put, and as what type, is checked where it stands (puts.go), also where takers ask for what an interface says (unaccepted.go), and whether it is only a part of what
// the pool makes (embeddedput.go). An interface's
// method that ends an object's life is followed into each type of the package
// that can get there (devirtual.go; of an exported interface only where that is a pool's, poolinterface.go), and the Close of a body into which the transport
// of net/http calls (transport.go), beside which nobody else closes it (closestoo.go), and the Read and Write to which package io gives a
// buffer that they leave with others (copying.go, also by a struct that embeds the writer, or by a bufio.Writer that writes to its owner, selfwriters.go), or go on to use when they have returned (readlate.go). What was the context
// of a request is asked by others for longer than that (ctxpooled.go), and what is in that of a connection while goroutines that
// nobody waits for have it (ctxleft.go), or in that which middleware gives a handler (ctxgoes.go), and of what was read into a buffer in part, all
// is gone through (partread.go).
//
// # Lost values
//
// Beyond the exits of one root, values are lost by a Close that returns early, or that leaves to Read what Read puts at the
// end of what is read (endonly.go), by a Read that says that all was read and leaves the last piece to be given back when the next is fetched (lastdone.go), and by an error that ends an object's life (endings.go), or that of one which it leads to, by a field set over a pooled value
// (fields.go), in a container of the function's own on the way of an error (shelf.go), but not where a signal ends a worker (endedbysignal.go), in
// one of a field's that elements are deleted from or cut off (discarded.go), by a receiver that
// puts on other paths (received.go), also in what was made to carry them (carriedloss.go), in the channel that a worker works off and leaves
// (undrained.go), and in a pool that nobody puts to (neverput.go), which others could reach where the function that is to take back what it gave leaves it to nobody (emptyrelease.go); but not
// where those who received it put it (received.go), where nothing gives it back (givenback.go), or where its pool would not keep it (firedtimer.go). A
// goroutine that only uses a value loses it, where no path waits for the goroutine
// (leftwith.go; a loop that starts some, or sends to some, and has no turn loses nothing, noturn.go, nor does a switch over named constants that has no case for what there is, noneofthem.go), one that alone has the variable with a value loses that where it ends without a look at it
// (heldbygo.go), one that is given a value by who has no more to do with it where it ends in another way than those that put it (lostingo.go), and one that only reads what a field had loses it when the field gets another (goneforward.go). Parts that a function makes for what it
// returns are lost where it returns something else that was made of them (partsleft.go). Of a list that it is given it may return the first and put none of the others (firstonly.go). An iterator that puts what it has at its end is left before that, and not closed (leftopen.go), and a message with a function that puts its memory by who calls that on other paths (leftcleanup.go). Who panics with what
// its goroutine recovered from loses what it puts on all other ways (repanic.go), and so does a field that is set to nil and whose content nobody puts
// (neverback.go), or in whose place another field is put that nobody sets (unsetput.go), and so is what stays in one where a write failed and its error is remembered (failedend.go), and what methods leave in a field that all functions only read (keptforgood.go), or in the slots of an object that is closed
// (keptslots.go), what is put behind a flag that another method sets too (setelsewhere.go), what is cut before its length tells whether it is put (lendecides.go), and a way round a loop over elements that has no Put of the element where the
// other has one (elemskip.go), and so do the slots of a struct in a map, of which one is put only when it is
// replaced (leftring.go), and the one piece that a struct begins again with, where the struct does not (keepslast.go). What was in a box is not lost with the box where new ones are made for the Put
// (newboxes.go). A value whose size was tested is not dropped for that where it is used
// on (usedon.go), and who has a slice that was swapped out of a value does not have the value
// (swappedout.go). What a list lends is
// lost where its taker waits for others to give back (scarce.go), and so is a number that stands for a slot
// (slots.go), or the slot of a value that is dropped (countedslots.go). A Put that is deferred in a loop without an end waits for that (deferloop.go).
// Objects that share a count by a pointer, and are put by who comes to zero, are lost but for the last (sharedcount.go). References to objects that count them are added up over all paths of a function (refbalance.go), and
// those of containers where their elements are taken out (refsheld.go); what a container lends without one is
// used too late when all are given up (refslent.go).
// One that heap.Pop gave and that is dropped is lost (popped.go), and one that
// io.NopCloser hides (nopcloser.go), and so is the body of a response that its sender leaves to nobody (ownresponse.go). A pointer given to code that is chosen at run time is lost on the way of an error where
// another path puts it after the same call, or takes it out of a slice made for the call to return it (lending.go). An interface with the methods of a
// pool is one (ifacepool.go). What a function takes and only uses is lost on any path
// (dropped.go), and so is what a method ends as another type's of its name does, which puts it (namesake.go), or a list, which the methods behind an interface put (siblinglists.go), and what is taken out of a field, put after a call and not where that fails, is lost
// there (movedout.go). So is pooled memory that is returned where other paths return a copy of it (eitherway.go).
// The end of a connection, say, may take a value with it (endsalike.go). Channels that serve as pools are asked for buffers of any size (anysize.go), and
// fields for writers that send on a channel what they are given (queuedwrite.go).
//
// # Fixes
//
// The walk says what is wrong on a path; a fix must be right on every one. So those that
// add, remove and move Puts (mendlost.go, mendputs.go) ask the source as well (syntax.go):
// a Put that is a statement of its own, variables that are set once, dominance. Where
// one answer is missing the report comes without a fix.
//
// # What it trusts
//
// Unknown callees borrow: they neither put nor keep an argument, but they may
// change what it points to, and may call closures. One that is given a slice of length 0 and gives such a slice appended to it (appendlike.go). What a function literal that fills something from a container has is only borrowed by it (onlyborrows.go). Functions that deal with pools and
// were too much to follow say so in their fact, and may put what they are given. A pointer given to code that is
// chosen at run time may have been put there, so that it is not reported as
// lost unless the root itself puts it after that call on another path; nor is a value given to such code as an interface
// one of whose methods puts it, or what it keeps in a field (putsitself.go), nor one of which another package puts what its method gives (itself.go), or a buffer on a path that puts a slice which
// some call gave it in the same pool (exchanged.go). A release under a
// test of a reference count, and one by a callee that
// was not followed, ends what is known of the value, unless the path took the value
// itself, nobody else has it and the atomic count is known (counts.go), or the count is another
// object's and the value was put before (counted.go), or where nobody ever counts up (nevershared.go). A value that is no buffer and
// whose method failed is dropped on purpose, unless the method is the package's own and neither
// begins a use nor works on a stream, or other paths put it where a like method
// failed (failedalike.go), or it was the Reset of a decompressor that who closes what was to have it puts whatever it met (failedreset.go). Fields of pooled values are not judged
// when code that took such a value was too much to follow. What a wrapper's own function of unknown code is
// given on the way to or from the pool may be reset by it (resethook.go). A value that its taker found too small is
// dropped for its size; one that it found large enough is not (makesroom.go). A wrapper of a response that
// is left where the response was is met by nobody who writes (wrapped.go). Over the budget a root is
// followed less far, then not at all, and nothing is said.
//
// # Limits
//
// Loops are followed twice, once more where a variable has what a turn put, or where two turns deferred one call (thirdturn.go), or where the second turn came to the second value of several (eachinturn.go), those of a root that is too much once more by themselves, and
// then all once (onceround.go); elements of a slice are told apart by their index
// expression only, but for those of a local array that a loop goes through (arrays.go), and for loops that set each of
// them (replacedall.go); which of two buffers that a loop swaps is returned is not known (swappedbuffers.go); a pool reached through a parameter is not identified, two pointers to pools of one type
// lead to two where each is only ever set to a pool made for it (ownpools.go), and a pool that is
// a function's variable only where its address stays with it and its closures (locals.go);
// recursion is followed one call deep. Bodies of loops over iterators of the standard library
// get elements or views (iterated.go), and errors are known by the names and types that were asked
// for (errfacts.go). Tests of a number against constants decide others (ranges.go). Functions in fields, maps, slices and
// captured variables are followed to where they were made (funcs.go), those of a table with the
// constants beside them (chosenwith.go), those of a list that a field is set to once, or that stands in the loop, in turn (funclists.go), and
// interface calls to the types that flow there, four at most, where the method ends
// a life, and otherwise to the types of the package, where they are few and can matter to a
// pooled value (keepers.go), or to the one type that a field of the package's is ever set to (onlystored.go), but not
// from within the one type in view to what that is made around: a second walk
// of the root takes one of them, or none, at each such call, the one that it took before where the value is read from the
// same field or variable (two values may have one type, guessedboth.go; what a function was given instead of one that it would have taken is not its to put, givenorown.go), and its reports of lost
// values do not count. Functions that go through reflection are not found.
// Where a deferred function recovers, panics of code that is chosen at run time are followed to it (recovered.go), and two free variables
// of which one is what the other holds have one value (freeasserted.go). What package bytes gives in pieces is memory of the whole (splitpieces.go). An object that changed hands leads nobody but its new owner to that (changedhands.go); what it filed with another object is there when it is put by the name of its field (filedelsewhere.go). Errors that are joined make one where one of them is one (joinserror.go), and one that was made around another is that to who asks (wrappederrors.go). What a context has under a key is not what one over it gives under that (shadowedkey.go).
// A receive is taken to wait for the goroutines that send on the channel
// or close it where they do nothing else with channels (of several that send, each may run on until as many
// were received; in a loop, until that comes to its end, inturn.go), otherwise for all that were
// started before, but for who received a value on a channel and has nothing to do with
// this one (unanswered.go), and for a goroutine that works off another channel while its starter is told to stop (stoponly.go), unless a Put asks the answers of the call that sent (toldbyresult.go), and so
// is a function of another package that waits, where it is given what a
// goroutine has (waits.go). What was sent is its receiver's, be it a parameter or the
// bytes of a buffer, unless the path waits, or tests a flag of what it sent or a number that counted it (queued.go);
// a receiver that puts what it gets does not know of other objects whose bytes that has (sent.go), of which it has no reference either (counted.go).
// An object whose own channel was received from after it went to a list is the path's again, and what an answer on
// another channel would tell that nobody uses any more is not lost where the path leaves at an end of things (ownchan.go).
// A channel that the path sent a bare signal on gives that back and waits for nobody (semaphore.go).
// A goroutine may have read the fields that its code reads as soon as it started, and counts
// references only where it touches the count or passes the object on (bystander.go); one that has an object
// but does not touch a field does not use what is in it (onlyothers.go), and what it changes its
// starter forgets, and so it does the errors in variables that it sets (gochanges.go). A reference that
// the path counted and dropped itself is its last, unless it left the object with somebody (ownreference.go); while it has more of them the count is above zero. A loop has two turns, and one over the few values of a literal, or of a variadic call, has all of its turns (fewturns.go). A slice that was cut to a number of elements has as many (cutto.go), and who asks an object by a method for its capacity has measured it (capmethod.go). What went
// into a slice or map is there as long as nothing was cut from it, and no
// element set to nil (emptied.go, handedout.go); what went into a map that is only added to stays there
// (mapstays.go), also when another method puts what it is part of (keptindex.go). A slice found in a map is the map's memory where entries are filled again (mapentries.go). Memory reached through a pointer field of a
// pooled struct is the pool's only where the field is set with the struct, or where it is
// nil, to something made there, and nowhere else (siblings.go), but to what is in it (samekept.go). The bytes beside the one pooled buffer of a struct are that buffer's, unless
// somebody sets them to others (companion.go).
// A slice that may be in an array of its struct's own is the pool's also where its field was set to nil (ownarray.go).
//
// # Invariants
//
// Results do not depend on map order: whatever is visited in an order that shows
// is sorted by the number of the symbol, and findings by position, in the order of the package's files (inorder.go). A symbol's
// identity never crosses roots. Roots that other packages are told of come before the others, and tests last: what is told
// of a package is the same where only that is asked for. A finding counts only when its root was
// followed to the end within the budget; one that has little hope of that is given up early (estimate.go). A callee with too many exits is given up,
// not the root that calls it; exits that the caller cannot tell apart count once (exits.go). What a builder's method returns is
// known where it is not followed (givesitself.go). What the tables say of a function is
// kept (namecache.go). Where nothing but the facts of a package counts, its roots may have fewer steps (Brief). Facts
// travel packed (packed.go). Files that cmd/cgo made of others are not taken for generated ones (generated.go), and a fix sets
// nothing to zero that New makes otherwise (madezero.go).
package flow
