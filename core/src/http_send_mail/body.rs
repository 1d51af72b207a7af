//! The body of an httpSendMail call: its members and their places (interface, section 4.2).

use alloc::vec::Vec;

use super::request::Request;
use crate::violation::{BodyPlace, Common, member_or_object};
use crate::wire::field::{HttpSendMailField, RequestField};
use crate::wire::json::{Reader, Shape, SyntaxError, Value};
use crate::wire::object::{Seen, first_error, read_object};
use crate::wire::repeats::Repeats;

/// The members of the top level.
#[derive(Clone)]
pub(crate) struct Members {
    object: Value,
    pub(crate) key: Value,
    pub(crate) requests: Value,
    /// The number of entries of `requests`.
    pub(super) count: u64,
    /// The offsets of the second values of repeated names, in order.
    repeats: Vec<u32>,
}

impl Members {
    /// The members that the bodies of both operations have.
    pub(crate) fn common(&self) -> Common<'_> {
        Common {
            object: self.object,
            key: self.key,
            key_place: member_or_object(HttpSendMailField::ApiKey, self.key, self.object),
            repeats: &self.repeats,
        }
    }

    /// The place of `requests`: the member if it exists, else the object that lacks it.
    pub(super) fn requests_place(&self) -> BodyPlace {
        member_or_object(HttpSendMailField::Requests, self.requests, self.object)
    }
}

/// The members of one entry of `requests` and their places.
#[derive(Clone, Debug, Default)]
pub(crate) struct RequestBody {
    /// The entry. It may not be an object.
    pub(crate) value: Value,
    values: [Value; RequestField::COUNT],
}

impl RequestBody {
    pub(crate) fn get(&self, field: RequestField) -> Value {
        // Every field has an entry, even if its value is missing.
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
        let mut seen = Seen::default();
        read_object::<RequestField>(
            reader,
            open,
            repeats,
            &mut seen,
            &mut request.values,
            |reader, _, _, open, repeats| reader.value(open, repeats),
        )?;
        seen.check_escapes(&request.values, reader.body())?;
        request.value = Value::new(Shape::Object, start, reader.position());
        Ok(request)
    }
}

/// Reads a body in one pass. Returns its members, and the entries of `requests` if there are at most `max_requests`.
pub(super) fn read(sent: &str, max_requests: u64) -> Result<(Members, Vec<Request>), SyntaxError> {
    // Some strings are checked only after their object was read, so the error that was found may not be the first one.
    read_members(sent.as_bytes(), max_requests).map_err(|_| first_error(sent.as_bytes()))
}

fn read_members(body: &[u8], max_requests: u64) -> Result<(Members, Vec<Request>), SyntaxError> {
    let mut reader = Reader::new(body)?;
    let start = reader.position();
    if reader.peek() != Some(b'{') {
        return Err(first_error(body));
    }
    let mut values = [Value::default(); HttpSendMailField::COUNT];
    let mut repeats = Repeats::default();
    let mut requests = Vec::new();
    let mut count = 0;
    let mut seen = Seen::default();
    read_object::<HttpSendMailField>(
        &mut reader,
        0,
        &mut repeats,
        &mut seen,
        &mut values,
        |reader, field, has_value, open, repeats| {
            if field != HttpSendMailField::Requests || reader.peek() != Some(b'[') {
                return reader.value(open, repeats);
            }
            if has_value {
                // These requests are not sent, but two spellings of one of their fields are a repeated name as well.
                return read_requests(reader, open, repeats, 0, &mut Vec::new(), &mut 0);
            }
            read_requests(
                reader,
                open,
                repeats,
                max_requests,
                &mut requests,
                &mut count,
            )
        },
    )?;
    let object = Value::new(Shape::Object, start, reader.position());
    reader.finish()?;
    seen.check_escapes(&values, body)?;
    if count > max_requests {
        requests.clear();
    }
    requests.shrink_to_fit();
    let [key, of_requests] = values;
    let members = Members {
        object,
        key,
        requests: of_requests,
        count,
        repeats: repeats.finish(),
    };
    Ok((members, requests))
}

fn read_requests(
    reader: &mut Reader<'_>,
    open: u32,
    repeats: &mut Repeats,
    max_requests: u64,
    requests: &mut Vec<Request>,
    count: &mut u64,
) -> Result<Value, SyntaxError> {
    let inside = reader.inside(open)?;
    let start = reader.position();
    reader.take(b'[');
    while reader.next_entry(*count == 0)? {
        let body = RequestBody::read(reader, inside, repeats)?;
        *count += 1;
        if *count <= max_requests {
            requests.push(Request {
                body,
                ..Request::default()
            });
        }
    }
    Ok(Value::new(Shape::Array, start, reader.position()))
}
