"""What each rule of `dpproxy check` says, with an example that breaks it; `rule_list` puts them together."""
