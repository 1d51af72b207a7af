//! The handle of a call: it owns the state machine, guards who may use it, and lends it to cursors.

mod handed_out;
mod kept;
mod made;
mod state;

use core::mem::MaybeUninit;
use core::sync::atomic::{AtomicBool, AtomicI32, AtomicUsize, Ordering};

use franking_core::{Commit, JsonAnswerError, Operation};

use self::handed_out::HandedOut;
pub(crate) use self::kept::Kept;
pub(crate) use self::state::{Machine, State};
use crate::arena::Arena;
use crate::guard::release;
use crate::handle::Guarded;
use crate::numbers::{FRANKING_STEP_COMMIT, FRANKING_STEP_DONE};
use crate::status::{Fail, Outcome};
use crate::violations::Lends;

/// One call of an operation, from its bytes to its decision. Owned: free it with franking_call_free. To be used by one
/// thread at a time: a second user at the same time gets FRANKING_STATUS_BUSY.
pub struct FrankingCall {
    pub(crate) state: Guarded<State>,
    /// The number of holders of the memory: the handle, until it is freed, and each cursor.
    holders: AtomicUsize,
    /// What the call waits for. It can be read without the lock.
    step: AtomicI32,
    /// Whether the handle was freed. Cursors may outlive it, but must not look at the body any more.
    is_freed: AtomicBool,
    /// Whether a driver is at work. A callback may not start another one.
    pub(crate) is_driven: AtomicBool,
    /// It can also be read after a fault has poisoned the call.
    handed_out: HandedOut,
    operation: Operation,
    /// Whether the JSON forms of questions and plans hold ids as texts.
    pub(crate) are_ids_texts: bool,
}

// Up to this size glibc takes freed blocks from a per-thread list. A larger handle would cost every call a search through
// free memory.
#[cfg(target_pointer_width = "64")]
const _: () = assert!(size_of::<FrankingCall>() <= 1032);

impl FrankingCall {
    /// Makes a handle. A call is larger than a kilobyte, so it is built in place.
    #[inline]
    #[expect(
        clippy::multiple_unsafe_ops_per_block,
        reason = "naming a member and writing it is one thing"
    )]
    pub(crate) fn new(machine: impl FnOnce() -> Machine, are_ids_texts: bool) -> *mut Self {
        let mut made: Box<MaybeUninit<Self>> = Box::new_uninit();
        let place = made.as_mut_ptr();
        // This does not compile after a member is added, which then also has to be written below.
        let _all = |call: Self, state: State| {
            let Self {
                state: _,
                holders: _,
                step: _,
                is_freed: _,
                is_driven: _,
                handed_out: _,
                operation: _,
                are_ids_texts: _,
            } = call;
            let State {
                machine: _,
                generation: _,
                columns: _,
                rows: _,
                plan: _,
                texts: _,
                key: _,
                decided: _,
            } = state;
        };
        // SAFETY: nothing else uses the place yet.
        let state = unsafe { Guarded::prepare(&raw mut (*place).state) };
        // SAFETY: as above.
        unsafe { (&raw mut (*state).machine).write(machine()) };
        // SAFETY: as above.
        unsafe { (&raw mut (*state).generation).write(0) };
        // SAFETY: as above.
        unsafe { (&raw mut (*state).columns).write(None) };
        // SAFETY: as above.
        unsafe { (&raw mut (*state).rows).write(None) };
        // SAFETY: as above.
        unsafe { (&raw mut (*state).plan).write(None) };
        // SAFETY: as above.
        unsafe { (&raw mut (*state).key).write(None) };
        // SAFETY: as above.
        unsafe { (&raw mut (*state).texts).write(Arena::default()) };
        // SAFETY: as above.
        unsafe { (&raw mut (*state).decided).write(None) };
        // SAFETY: as above.
        unsafe { (&raw mut (*place).holders).write(AtomicUsize::new(1)) };
        // SAFETY: all members of the state are written by now.
        let step = unsafe { &*state }.step_number();
        // SAFETY: as above.
        unsafe { (&raw mut (*place).step).write(AtomicI32::new(step)) };
        // SAFETY: as above.
        unsafe { (&raw mut (*place).is_freed).write(AtomicBool::new(false)) };
        // SAFETY: as above.
        unsafe { (&raw mut (*place).is_driven).write(AtomicBool::new(false)) };
        // SAFETY: as above.
        unsafe { (&raw mut (*place).handed_out).write(HandedOut::new()) };
        // SAFETY: as above.
        unsafe { (&raw mut (*place).operation).write((*state).call().operation()) };
        // SAFETY: as above.
        unsafe { (&raw mut (*place).are_ids_texts).write(are_ids_texts) };
        Box::into_raw(made).cast()
    }

    /// Gives an answer by hand. Fails with BUSY while a driver is at work on the call.
    #[inline]
    pub(crate) fn answer<E: Into<Fail>>(
        &self,
        answer: impl FnOnce(&mut Machine) -> Result<(), E>,
    ) -> Outcome {
        self.state.write(|state| {
            self.check_undriven()?;
            self.take(state, answer)
        })
    }

    /// Fails with BUSY while a driver is at work on the call. It is called under the call's lock. A driver begins before it
    /// takes the lock, so it either has not looked at the call yet, or is seen here.
    #[inline]
    pub(crate) fn check_undriven(&self) -> Outcome {
        if self.is_driven.load(Ordering::Acquire) {
            return Err(Fail::busy());
        }
        Ok(())
    }

    /// Gives an answer for a driver.
    #[inline]
    pub(crate) fn give<E: Into<Fail>>(
        &self,
        answer: impl FnOnce(&mut Machine) -> Result<(), E>,
    ) -> Outcome {
        self.state.write(|state| self.take(state, answer))
    }

    /// Takes an answer, and drops everything that was made for the question.
    #[inline]
    fn take<E: Into<Fail>>(
        &self,
        state: &mut State,
        answer: impl FnOnce(&mut Machine) -> Result<(), E>,
    ) -> Outcome {
        self.change(state, answer)?;
        state.let_go();
        Ok(())
    }

    /// Hands the plan out for good. Its rows stay valid.
    #[inline]
    pub(crate) fn begin_commit(&self, state: &mut State) -> Outcome {
        self.change(state, Machine::begin_commit)?;
        self.handed_out.set(true);
        Ok(())
    }

    /// As [`FrankingCall::answer`], for an answer that is, or may be, an answer to a commit.
    #[inline]
    pub(crate) fn answer_commit<E: Into<Fail>>(
        &self,
        answer: impl FnOnce(&mut Machine) -> Result<(), E>,
    ) -> Outcome {
        self.give_commit(|| self.check_undriven(), answer)
    }

    /// As [`FrankingCall::give`], for an answer that is, or may be, an answer to a commit. It is not taken if `check`, which is
    /// called under the call's lock, fails.
    #[inline]
    fn give_commit<E: Into<Fail>>(
        &self,
        check: impl FnOnce() -> Outcome,
        answer: impl FnOnce(&mut Machine) -> Result<(), E>,
    ) -> Outcome {
        let mut is_taken = false;
        let given = self.state.write(|state| {
            check()?;
            let is_awaited = state.call().awaits_commit();
            if is_awaited {
                // A host that answers had the plan, even if it did not call franking_call_begin_commit.
                self.handed_out.suppose();
            }
            let changed = self.change(state, answer);
            is_taken = true;
            if is_awaited {
                match &changed {
                    // After a conflict, the call waits again.
                    Ok(()) => self
                        .handed_out
                        .set(state.step_number() == FRANKING_STEP_DONE),
                    // It was an answer to another question.
                    Err(_) => self.handed_out.take_back(),
                }
            }
            changed?;
            state.let_go();
            Ok(())
        });
        if !is_taken {
            self.miss();
        }
        given
    }

    /// Notes that the call has not taken an answer, because it is in use, or because of a fault. If it waits for a commit,
    /// the host that answers had the plan, and may have carried it out.
    #[cold]
    fn miss(&self) {
        if self.step.load(Ordering::Acquire) == FRANKING_STEP_COMMIT {
            self.handed_out.set(true);
        }
    }

    /// As [`FrankingCall::give_commit`], for a driver, which has carried the plan out. It waits while another thread uses the
    /// call, because only this answer says what happened to the plan.
    pub(crate) fn settle(&self, commit: Commit) -> Outcome {
        loop {
            match self.give_commit(|| Ok(()), |machine| machine.commit(commit)) {
                Err(fail) if fail.is_busy() => std::thread::yield_now(),
                given => return given,
            }
        }
    }

    /// Takes an answer that cannot be read. If the call waits for a commit, the plan may have been carried out, so the call
    /// ends with an unknown result.
    #[cold]
    pub(crate) fn unread(&self, fail: Fail) -> Fail {
        let awaits = self.state.lend(|state| {
            self.check_undriven()?;
            Ok(state.call().awaits_commit())
        });
        match awaits {
            Ok(true) => match self.answer_commit(|machine| machine.commit(Commit::Unknown)) {
                Ok(()) => fail,
                Err(other) => other,
            },
            Ok(false) => fail,
            Err(other) => {
                self.miss();
                other
            }
        }
    }

    /// The operation that was called. It is also known after a fault has poisoned the call.
    pub(crate) fn operation(&self) -> Operation {
        self.operation
    }

    /// Returns whether a plan was handed out and may have been carried out.
    pub(crate) fn is_handed_out(&self) -> bool {
        self.handed_out.is_true()
    }

    /// Returns whether the call has a decision. It is also known while another thread uses the call.
    pub(crate) fn is_decided(&self) -> bool {
        self.step.load(Ordering::Acquire) == FRANKING_STEP_DONE
    }

    #[inline]
    fn change<E: Into<Fail>>(
        &self,
        state: &mut State,
        answer: impl FnOnce(&mut Machine) -> Result<(), E>,
    ) -> Outcome {
        answer(&mut state.machine).map_err(E::into)?;
        // Only reached without a misuse, which changes nothing.
        self.step.store(state.step_number(), Ordering::Release);
        state.generation = state.generation.wrapping_add(1);
        Ok(())
    }

    /// What the call waits for.
    pub(crate) fn step(&self) -> Outcome<i32> {
        self.state.peek(|| self.step.load(Ordering::Acquire))
    }

    /// Runs `inside` for a cursor that was made at this generation, unless the call was answered or freed since.
    pub(crate) fn lend<R>(
        &self,
        generation: u64,
        inside: impl FnOnce() -> Outcome<R>,
    ) -> Outcome<R> {
        if self.is_freed() {
            return Err(Fail::stale());
        }
        self.state.lend(|state| {
            if state.generation != generation {
                return Err(Fail::stale());
            }
            inside()
        })
    }

    pub(crate) fn is_freed(&self) -> bool {
        self.is_freed.load(Ordering::Acquire)
    }
}

/// A cursor's hold on a call: it keeps the call's memory, and notices when the call was answered.
pub(crate) struct Loan {
    call: Kept,
    generation: u64,
}

impl Loan {
    /// Makes a cursor over the current state of the call.
    ///
    /// `make` gets the state of the call for as long as the loan exists. Its result may be used only inside [`Lends::lend`],
    /// and has to be dropped before the loan.
    ///
    /// # Safety
    /// `call` is NULL or was not freed.
    pub(crate) unsafe fn new<T>(
        call: *const FrankingCall,
        make: impl FnOnce(&'static State) -> Outcome<T>,
    ) -> Outcome<(T, Self)> {
        // SAFETY: as demanded of the caller.
        let call = unsafe { Kept::new(call) }?;
        let (made, generation) = call.state.read(|state| {
            // SAFETY: the loan keeps the call at its place. The reference is used only while the call's lock keeps
            // writers out and the generation shows that none has been there.
            let lent: &'static State = unsafe { &*core::ptr::from_ref(state) };
            Ok((make(lent)?, state.generation))
        })?;
        Ok((made, Self { call, generation }))
    }
}

impl Lends for Loan {
    fn lend(&self, inside: &mut dyn FnMut() -> Outcome) -> Outcome {
        self.call.lend(self.generation, inside)
    }
}

pub(crate) fn json_fail(error: JsonAnswerError) -> Fail {
    match error {
        JsonAnswerError::Misuse(misuse) => Fail::misuse(misuse),
        error => Fail::invalid(error),
    }
}

/// Frees a call. Cursors made from it still have to be freed; every other use of them fails with FRANKING_STATUS_STALE. NULL
/// is fine.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn franking_call_free(call: *mut FrankingCall) {
    if call.is_null() {
        return;
    }
    release(|| {
        // SAFETY: the caller passes a call that was not freed.
        unsafe { &*call }.is_freed.store(true, Ordering::Release);
        // SAFETY: as above; the caller is one of the holders, and does not use the call afterwards.
        unsafe { kept::give_back(call) };
    });
}

#[cfg(test)]
mod tests;
