"""The server side of the Postgres protocol, version 3, between analysts, their stage connections and a router.

The wire knows nothing of privacy or SQL: a `router.Router` claims statements and answers them, everything else goes to
the stage. The protocol's logic is code without I/O; the asyncio code around it moves bytes. From the outside in:

    server              listens, limits, hands CancelRequests to sessions, shuts down                   asyncio
    connection          one end of a socket, in TLS or not                                              asyncio
    stage_connection    logs in at a stage, cancels there                                               asyncio
    session             a client, its stage connection and the router's tasks                           asyncio
    link                the stage as the router may use it meanwhile                                    asyncio
    login               the way in: encryption, startup packet, password (`scram`) or certificate
    gate                who may come in, and how; `throttle`: not after many failures; `login_log`: who may not
    roster              the sessions that there are, for those who may see and end them
    tls                 the certificate, and TLS as bytes in and out
    conversation        what is done with each message of a client
    table               … in which state: states × messages, as data
    simple_query        claimed statements in a Query, as work that yields what it waits for
    extended_query      claimed statements at Parse and Bind
    statements          which prepared statements are claimed
    channel             a session's state, what is to be sent, what is awaited
    replies             the replies that the stage owes, and what the client sees of them
    frontend, backend   the messages of either side; codec and encodings below them

How a message travels: `Connection` hands bytes to `Session`, `Session` to `Conversation.hear`; `proceed` cuts them into
messages, looks each up in the table and does what it says. An unclaimed message goes to `Channel.to_stage` and is
announced to `Replies`; when the stage replies, `Replies.receive` passes the bytes on to `Channel.to_client`. A claimed
statement becomes work: the state is WORKING, the client's next messages wait, and the work yields until the stage owes
nothing, then puts a `RouterQuestion`, which `Session` lets the router answer in a task. The answer's SQL goes to the
stage in place of the statement. Whenever bytes have arrived, `Session` sends what the channel holds for either side.
"""
