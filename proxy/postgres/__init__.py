"""Everything that talks to Postgres for the proxy itself: the source, the stage, and its own server (decision 1).

source, places                    the source's pool, and who may use it now
transaction, source_connection    a source query: what is verified, what is run, under which settings
cluster                           what a source query needs on a Citus cluster
surroundings                      what reads or writes the listed tables in the source
overriding                        what users made that source queries would call in Postgres's place
catalog_reader, public_values     the source's schema; what planning reads of public rows
public_tables                     public rows on their way to the stage
survey                            the whole schema, for a policy that is yet to be written, or for a file
stage and stage_*                 the database where clients live: tables, roles, privileges, the schema dp
embedded, binaries, launch, server_user, socket_directory, temporary, interrupts
                                  a Postgres server under a directory of ours
databases, text_rows              helpers for databases; results in text form
"""
