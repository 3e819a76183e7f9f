//! Ids as values of SQL: the bare number.

use rusqlite::ToSql;
use rusqlite::types::{FromSql, FromSqlResult, ToSqlOutput, ValueRef};

use crate::model::{FileId, NodeId};

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
