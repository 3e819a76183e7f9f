//! Ids as values of SQL: the bare number. Here and not in the store, because an implementation of a foreign trait belongs
//! to the crate of the type.

use rusqlite::ToSql;
use rusqlite::types::{FromSql, FromSqlResult, ToSqlOutput, ValueRef};

use super::{FileId, NodeId};

/// Implements binding and reading of an id.
macro_rules! sql_id {
    ($name:ident) => {
        impl ToSql for $name {
            fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
                Ok(ToSqlOutput::from(self.get()))
            }
        }

        impl FromSql for $name {
            fn column_result(value: ValueRef<'_>) -> FromSqlResult<$name> {
                u32::column_result(value).map($name::new)
            }
        }
    };
}

sql_id!(NodeId);
sql_id!(FileId);
