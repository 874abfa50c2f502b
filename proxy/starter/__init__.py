"""A first policy for a database that nobody has described yet, from its catalog alone.

`units` finds whose privacy could be meant and which tables lead to it, `tables` writes their entries (`spelling` how),
`document` the whole file, `update` what a file lacks, `limits` what CHECK constraints say. What only the owner can
know is marked `# decide: …`, and what is not decided is left out: `dpproxy check` lists the marks
(`proxy.policy.remarks`).
"""
