"""`dpproxy suggest-bounds` behind its command (theorem 17): `choosing` charges, measures and chooses bounds privately,
`changes` shows them and says where the policy has them."""
