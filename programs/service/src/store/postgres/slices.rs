//! Cuts large plans into slices, so that a statement about a slice ends in time, however large the plan is.

/// The maximum number of rows of a statement.
pub(super) const SLICE: usize = 5_000;
/// The maximum number of bytes of texts of a statement. One row may have more.
const BYTES: usize = 4 << 20;

/// Cuts rows into slices. `bytes` returns the length of a row's texts.
pub(super) fn slices<T>(rows: &[T], bytes: impl Fn(&T) -> usize) -> impl Iterator<Item = &[T]> {
    let mut rest = rows;
    std::iter::from_fn(move || {
        let mut total = 0_usize;
        let fits = rest.iter().take(SLICE).take_while(|row| {
            let is_first = total == 0;
            total = total.saturating_add(bytes(row).saturating_add(1));
            is_first || total <= BYTES
        });
        let (slice, others) = rest.split_at_checked(fits.count())?;
        rest = others;
        Some(slice).filter(|slice| !slice.is_empty())
    })
}

/// Returns the number of parts in which columns of these lengths are looked up.
pub(super) fn parts(lengths: &[usize]) -> usize {
    let longest = lengths.iter().copied().max().unwrap_or(0);
    longest.div_ceil(SLICE).max(1)
}

/// Returns a part of a column. It is empty if the column is shorter.
pub(super) fn part<T>(column: &[T], part: usize) -> &[T] {
    column.chunks(SLICE).nth(part).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slices_are_all_rows_in_order_and_none_is_too_large() {
        let rows: Vec<usize> = (0..12_345).map(|n| (n % 7) * 1000).collect();
        let mut next = 0;
        for slice in slices(&rows, |row| *row) {
            assert_eq!(rows.get(next..next + slice.len()), Some(slice));
            assert!((1..=SLICE).contains(&slice.len()));
            assert!(slice.iter().sum::<usize>() <= BYTES);
            next += slice.len();
        }
        assert_eq!(next, rows.len());
        assert_eq!(slices(&[BYTES * 2, BYTES * 2, 1], |row| *row).count(), 3);
        assert_eq!(slices(&[0; 0], |row: &usize| *row).count(), 0);
    }
}
