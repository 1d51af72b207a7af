//! Lists calls and emails for an operator, on PostgreSQL.

use std::time::SystemTime;

use franking::Operation;
use tokio_postgres::{Error, Row};

use super::Postgres;
use super::command::given;
use super::failure::Doing as _;
use super::reports::list;
use super::session::{PATIENCE, Params, Session};
use super::statement::moment;
use crate::store::asked::to_signed;
use crate::store::error::{Cause, StoreError};
use crate::store::identity::{AccountId, CallId};
use crate::store::inspect::{
    Became, CallFilter, Deliveries, DeliveryFilter, Inspect, LOOKED_THROUGH, ListedCall,
    ListedDelivery, SearchEnd, Searched, ShownCall,
};
use crate::store::operator::{OperatorError, Reply};
use crate::store::transcripts::FAR;

const LISTING: &str = "listing calls and emails";

/// A statement about deliveries.
macro_rules! of_deliveries {
    ($sql:literal) => {
        concat!(
            include_str!("sql/select_deliveries.sql"),
            include_str!($sql)
        )
    };
}

impl Inspect for Postgres {
    fn list_calls(
        &self,
        account: AccountId,
        filter: CallFilter,
        at_most: u32,
    ) -> Reply<Vec<ListedCall>> {
        let before = filter.before.map(|call| to_signed(call.number()));
        let sql = include_str!("sql/list_calls.sql");
        let (since, until) = (filter.since.unwrap_or(0), filter.until.unwrap_or(FAR));
        let given = given![account.0, before, i64::from(at_most), since, until];
        self.ask(sql, given, |rows| rows.iter().map(read_call).collect())
    }

    fn show_call(&self, call: CallId) -> Reply<ShownCall> {
        let sql = include_str!("sql/show_call.sql");
        self.ask(sql, given![to_signed(call.number())], |rows| {
            let row = rows.first().ok_or(OperatorError::NotFound("call"))?;
            let count = |column| row.try_get::<_, i64>(column).doing(LISTING);
            Ok(ShownCall {
                call: read_call(row)?,
                account: AccountId(count(5)?),
                states: [count(6)?, count(7)?, count(8)?],
                left_out: count(9)?,
            })
        })
    }

    fn deliveries(&self, which: Deliveries, at_most: u32) -> Reply<Vec<ListedDelivery>> {
        let last = |before: Option<i64>| before.unwrap_or(i64::MAX);
        let most = i64::from(at_most);
        let (sql, given) = match which {
            Deliveries::OfCall(account, call, before) => (
                of_deliveries!("sql/deliveries_of_call.sql"),
                given![account.0, to_signed(call.number()), last(before), most],
            ),
            Deliveries::OfRecipient(account, address, before) => (
                of_deliveries!("sql/deliveries_of_recipient.sql"),
                given![account.0, address.match_key, last(before), most],
            ),
            Deliveries::Queued(account) => (
                of_deliveries!("sql/deliveries_queued.sql"),
                given![account.0, most],
            ),
            Deliveries::One(id) => (of_deliveries!("sql/delivery_of_id.sql"), given![id]),
        };
        self.ask(sql, given, |rows| {
            let read: Result<Vec<_>, Error> = rows.iter().map(read_delivery).collect();
            Ok(read.doing(LISTING)?)
        })
    }

    fn search(&self, account: AccountId, filter: DeliveryFilter, at_most: u32) -> Reply<Searched> {
        self.look(move |pool| async move {
            let session = Session::open(&pool).await?.patient(PATIENCE);
            let found = search(&session, account, filter, at_most).await?;
            session.close();
            Ok(found)
        })
    }

    fn became(&self, deliveries: Vec<i64>) -> Reply<Vec<Became>> {
        self.look(move |pool| async move {
            let read = |row: &Row| {
                Ok(Became {
                    delivery: row.try_get(0)?,
                    kind: row.try_get(1)?,
                    status: row.try_get(2)?,
                    reason: row.try_get(3)?,
                    happened: row.try_get(4)?,
                })
            };
            let sql = include_str!("sql/events_of_deliveries.sql");
            Ok(list(&pool, sql, &[&deliveries], read).await?)
        })
    }
}

async fn search(
    session: &Session,
    account: AccountId,
    filter: DeliveryFilter,
    at_most: u32,
) -> Result<Searched, StoreError> {
    let is_bounced = filter.is_bounced();
    let since = filter.since.unwrap_or(0);
    // The search covers what is before this time and number. With the number 0, nothing of that time is included.
    let mut newest: (SystemTime, i64) = (moment(filter.until.unwrap_or(FAR))?, 0);
    if let Some(before) = filter.before {
        let sql = include_str!("sql/time_of_delivery.sql");
        let found = session.query(LISTING, sql, &[&before]).await?;
        let Some(row) = found.first() else {
            return Ok((Vec::new(), None));
        };
        let time = row.try_get(usize::from(is_bounced)).doing(LISTING)?;
        newest = newest.min((time, before));
    }
    let (time, number) = newest;
    let domain = filter.domain.map(|domain| domain.0);
    let custom_field = filter.custom_field.map(String::into_bytes);
    let most = i64::from(at_most);
    let looked = i64::from(LOOKED_THROUGH);
    let (found, end) = if is_bounced {
        let (first, others) = (moment(since)?, looked - 1);
        let params: Params<'_> = &[&account.0, &first, &time, &number, &others];
        let sql = include_str!("sql/end_of_bounced.sql");
        let end = session.query(LISTING, sql, params).await?;
        let end = end
            .first()
            .map(|row| Ok((row.try_get(0)?, row.try_get(1)?)));
        let end: Result<Option<(SystemTime, i64)>, Error> = end.transpose();
        let end = end.doing(LISTING)?;
        let (first, last) = end.unwrap_or((first, 0));
        let params: Params<'_> = &[
            &account.0,
            &first,
            &time,
            &number,
            &last,
            &domain,
            &custom_field,
            &most,
        ];
        let sql = include_str!("sql/deliveries_bounced.sql");
        let found = session.query(LISTING, sql, params).await?;
        (found, end.map(|(_, last)| SearchEnd::Before(last)))
    } else {
        let params: Params<'_> = &[&account.0, &since, &time, &looked];
        let sql = include_str!("sql/end_of_search.sql");
        let end = session.query(LISTING, sql, params).await?;
        let end = end.first().map(|row| row.try_get::<_, i64>(0));
        let end = end.transpose().doing(LISTING)?.filter(|end| *end > since);
        let first = end.unwrap_or(since);
        let params: Params<'_> = &[
            &account.0,
            &first,
            &time,
            &number,
            &filter.state,
            &domain,
            &custom_field,
            &most,
        ];
        let sql = include_str!("sql/deliveries_such.sql");
        let found = session.query(LISTING, sql, params).await?;
        (found, end.map(SearchEnd::Until))
    };
    let found: Result<Vec<_>, Error> = found.iter().map(read_delivery).collect();
    let found = found.doing(LISTING)?;
    let is_full = found.len() >= at_most as usize;
    Ok((found, end.filter(|_| !is_full)))
}

fn read_call(row: &Row) -> Result<ListedCall, OperatorError> {
    let number = |column| row.try_get::<_, i64>(column).doing(LISTING);
    let operation: String = row.try_get(2).doing(LISTING)?;
    let unknown = || StoreError::Failed(Cause::new("reading an unknown operation"));
    Ok(ListedCall {
        id: CallId(number(0)?.unsigned_abs()),
        created: number(1)?,
        operation: Operation::from_name(&operation).ok_or_else(unknown)?,
        emails: number(3)?,
        subscribers: number(4)?,
    })
}

fn read_delivery(row: &Row) -> Result<ListedDelivery, Error> {
    let call: i64 = row.try_get(2)?;
    let custom_field: Option<Vec<u8>> = row.try_get(7)?;
    Ok(ListedDelivery {
        id: row.try_get(0)?,
        account: AccountId(row.try_get(1)?),
        call: CallId(call.unsigned_abs()),
        created: row.try_get(3)?,
        recipient: row.try_get(4)?,
        from: row.try_get(5)?,
        mailer: row.try_get(6)?,
        custom_field: custom_field.map(|text| String::from_utf8_lossy(&text).into_owned()),
        state: row.try_get(8)?,
        is_cancelled: row.try_get(9)?,
        attempts: row.try_get::<_, i32>(10)?.into(),
        due: row.try_get(11)?,
        ended: row.try_get(12)?,
        reason: row.try_get(13)?,
    })
}
