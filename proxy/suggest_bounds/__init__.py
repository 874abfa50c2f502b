"""The work of `dpproxy suggest-bounds` (theorem 17): `choosing` charges, measures and chooses bounds privately,
`changes` prints them and says where they belong in the policy."""
