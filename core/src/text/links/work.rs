//! Counts the bytes and elements that are looked at, in tests only. Tests show with it, and without a clock, that time is
//! proportional to the input.

#[cfg(test)]
std::thread_local! {
    static COUNT: core::cell::Cell<usize> = const { core::cell::Cell::new(0) };
}

/// Counts `amount` more.
#[inline]
pub(super) fn count(amount: usize) {
    #[cfg(test)]
    COUNT.with(|count| count.set(count.get() + amount));
    #[cfg(not(test))]
    let _ = amount;
}

/// The count in this thread since the last call.
#[cfg(test)]
pub(super) fn take() -> usize {
    COUNT.with(core::cell::Cell::take)
}
