"""The compiler: from a client's text to plans, SQL of source queries and SQL for the stage. It asks no database.

    lexemes, scripts, text_limits      what is checked in a text before it is parsed
    prepared                           PREPARE and EXECUTE
    temporary, temporary_rows          temporary tables: what makes and drops them, and their rows in a query
    redaction                          a statement without its constants
    grammar, dialect, statement        parsing: sqlglot's tree, confirmed by Postgres's grammar
    unread_texts                       the refusals of texts that cannot be read
    explicit, normal_form, respelling, plain_postgres, plain_tokens
                                       how the two are compared; which spellings sqlglot reads and prints
    nodes                              searching, comparing and copying trees
    replacing                          values with other fields, in little time
    schema, named_tables, names, refusal
                                       what names mean; refusals
    repeats                            how many rows of public tables are equal, where no key says so
    postgres_aggregates                the names of PostgreSQL's aggregates
    terms                              scalar expressions that cannot fail (decision 4)
    trees                              queries rewritten, blocks found
    rows                               FROM as relations, with the proof of each row's unit (decision 3)
    planning                           keys, statistics, bounds, noise, price
    source_queries                     the SQL of source queries (decision 5)
    staging                            the SQL of the stage, with released rows in it
    suggesting                         the source queries of suggest-bounds
    analysis, explain                  the entrances for `proxy.query`: from a statement to planned blocks; EXPLAIN
    remarks                            sentences about a block, for EXPLAIN and notices
    explain_formats                    EXPLAIN as JSON, YAML and XML

Imports point downwards (`pyproject.toml`).
"""
