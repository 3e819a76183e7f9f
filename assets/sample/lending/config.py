"""Settings, from the environment."""

import os
from dataclasses import dataclass


@dataclass
class Config:
    """Settings of the desk."""

    secret_key: str = "change me"
    session_minutes: int = 30
    loan_days: int = 28
    renewals: int = 2
    cents_per_day: int = 20

    @classmethod
    def from_environment(cls) -> "Config":
        """Reads settings that begin with LENDING_."""
        config = cls()
        for name in vars(config):
            value = os.environ.get(f"LENDING_{name.upper()}")
            if value is not None:
                kind = type(getattr(config, name))
                setattr(config, name, kind(value))
        return config
