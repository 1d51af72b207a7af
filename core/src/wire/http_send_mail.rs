//! An httpSendMail body by its places (interface, section 4.2).

use alloc::vec::Vec;

use super::field::{HttpSendMailField, RequestField};
use super::json::{MAX_OPEN, Reader, Shape, SyntaxError, SyntaxReason, Value};
use super::object::{Seen, read_object};
use super::repeats::Repeats;
use super::send_mailer::not_object;

/// What stands where in an httpSendMail body.
#[derive(Clone, Debug)]
pub(crate) struct HttpSendMailBody {
    pub(crate) object: Value,
    pub(crate) key: Value,
    pub(crate) requests: Value,
    /// How many entries `requests` has.
    pub(crate) count: u64,
    /// The entries, as long as they are not too many; none when they are.
    pub(crate) entries: Vec<RequestBody>,
    /// The second values of names that stand twice, by position.
    pub(crate) repeats: Vec<u32>,
}

/// What stands where in one entry of `requests`.
#[derive(Clone, Debug, Default)]
pub(crate) struct RequestBody {
    /// The entry; it may be no object.
    pub(crate) value: Value,
    values: [Value; RequestField::COUNT],
}

impl RequestBody {
    pub(crate) fn get(&self, field: RequestField) -> Value {
        self.values.get(field as usize).copied().unwrap_or_default()
    }

    fn read(
        reader: &mut Reader<'_>,
        open: u32,
        repeats: &mut Repeats,
    ) -> Result<Self, SyntaxError> {
        let mut request = Self::default();
        let start = reader.position();
        if reader.peek() != Some(b'{') {
            request.value = reader.value(open, repeats)?;
            return Ok(request);
        }
        read_object::<RequestField, false>(
            reader,
            open,
            repeats,
            &mut Seen::default(),
            &mut request.values,
            |reader, _, open, repeats| reader.value(open, repeats),
        )?;
        request.value = reader.read_container(Shape::Object, start);
        Ok(request)
    }
}

impl HttpSendMailBody {
    /// Reads a body in one pass, keeping at most `max_requests` entries.
    pub(crate) fn read(body: &[u8], max_requests: u64) -> Result<Self, SyntaxError> {
        let mut reader = Reader::new(body)?;
        let start = reader.position();
        if reader.peek() != Some(b'{') {
            return Err(not_object(reader));
        }
        let mut values = [Value::default(); HttpSendMailField::COUNT];
        let mut repeats = Repeats::default();
        let mut entries = Vec::new();
        let mut count = 0;
        read_object::<HttpSendMailField, false>(
            &mut reader,
            0,
            &mut repeats,
            &mut Seen::default(),
            &mut values,
            |reader, field, open, repeats| {
                if field == HttpSendMailField::Requests && reader.peek() == Some(b'[') {
                    read_requests(
                        reader,
                        open,
                        repeats,
                        max_requests,
                        &mut entries,
                        &mut count,
                    )
                } else {
                    reader.value(open, repeats)
                }
            },
        )?;
        let object = reader.read_container(Shape::Object, start);
        reader.finish()?;
        if count > max_requests {
            entries.clear();
        }
        let [key, requests] = values;
        Ok(Self {
            object,
            key,
            requests,
            count,
            entries,
            repeats: repeats.finish(),
        })
    }
}

fn read_requests(
    reader: &mut Reader<'_>,
    open: u32,
    repeats: &mut Repeats,
    max_requests: u64,
    entries: &mut Vec<RequestBody>,
    count: &mut u64,
) -> Result<Value, SyntaxError> {
    if open >= MAX_OPEN {
        return Err(SyntaxError {
            at: reader.position(),
            reason: SyntaxReason::TooDeep,
        });
    }
    let start = reader.position();
    reader.take(b'[');
    while reader.next_entry(*count == 0)? {
        let request = RequestBody::read(reader, open.saturating_add(1), repeats)?;
        *count = count.saturating_add(1);
        if *count <= max_requests {
            entries.push(request);
        }
    }
    Ok(reader.read_container(Shape::Array, start))
}
