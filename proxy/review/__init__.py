"""Policies for those who have to agree to them: `changes` says what a change does to the guarantee, judged by `judges`
for each part of a policy and printed by `change_formats`; `reports` says what a policy promises."""
