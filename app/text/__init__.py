"""What a person writes, read: days and times."""
