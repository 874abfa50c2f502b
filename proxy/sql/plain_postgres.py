"""How sqlglot reads and prints PostgreSQL here.

sqlglot's own Postgres dialect translates many functions into a common vocabulary and back. A proxy must not: a function
keeps the name and the arguments that the client wrote, so that the name that is checked is the one that is printed.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable
from typing import ClassVar, Final

from sqlglot import exp, tokenizer_core
from sqlglot.dialects.postgres import Postgres
from sqlglot.generators.postgres import PostgresGenerator
from sqlglot.parser import build_json_extract, build_json_extract_scalar
from sqlglot.parsers.postgres import PostgresParser
from sqlglot.tokenizer_core import TokenType

from proxy.budget.cache import ImmutableCache
from proxy.sql.nodes import Shape, copied, shape, walk


class Plus(exp.Unary):
    """A unary plus. sqlglot would drop it, and with it the type that it gives to a string."""


class PlainPostgresParser(PostgresParser):
    """Functions stay `exp.Anonymous` under the name that the client wrote; intervals keep their text."""

    FUNCTIONS: ClassVar[dict[str, object]] = {}  # type: ignore[assignment]
    # In a function's arguments x -> y is the operator of json, not a lambda; => names an argument.
    LAMBDAS: ClassVar[dict[TokenType, Callable[..., exp.Expr]]] = {
        TokenType.FARROW: PostgresParser.LAMBDAS[TokenType.FARROW]
    }
    JSON_OPERATORS: ClassVar[dict[TokenType, Callable[..., exp.Expr]]] = {
        **PostgresParser.JSON_OPERATORS,
        TokenType.ARROW: build_json_extract,
        TokenType.DARROW: build_json_extract_scalar,
    }
    FUNCTION_PARSERS: ClassVar[dict[str, object]] = {  # type: ignore[assignment]
        name: PostgresParser.FUNCTION_PARSERS[name]
        for name in (
            "CAST",
            "EXTRACT",
            "OVERLAY",
            "POSITION",
            "STRING_AGG",
            "SUBSTRING",
            "TRIM",
            "XMLELEMENT",
            "XMLTABLE",
        )
    }
    NO_PAREN_FUNCTION_PARSERS: ClassVar[dict[str, object]] = {  # type: ignore[assignment]
        name: PostgresParser.NO_PAREN_FUNCTION_PARSERS[name] for name in ("ANY", "CASE", "VARIADIC")
    }
    # The power operator has a precedence of its own.
    BITWISE: ClassVar[dict[TokenType, type[exp.Expr]]] = {  # type: ignore[assignment]
        token: node for token, node in PostgresParser.BITWISE.items() if token != TokenType.CARET
    }
    UNARY_PARSERS: ClassVar[dict[TokenType, object]] = {  # type: ignore[assignment]
        **PostgresParser.UNARY_PARSERS,
        TokenType.PLUS: lambda self: self.expression(Plus(this=self._parse_unary())),
    }
    TYPE_LITERAL_PARSERS: ClassVar[dict[exp.DType, Callable[..., exp.Expr]]] = {}
    SIGNED_TO_UNSIGNED_TYPE_TOKEN: ClassVar[dict[TokenType, TokenType]] = {}

    def _parse_statement(self) -> exp.Expr | None:
        """A SELECT at once: sqlglot would look for an expression first, through all operators."""
        if self._curr.token_type is TokenType.SELECT:
            return self._parse_query_modifiers(self._parse_select())
        return super()._parse_statement()

    def _parse_disjunction(self) -> exp.Expr | None:
        """A name, a constant or a short call that nothing is done with, at once: sqlglot would look behind it for the
        operators of each precedence in turn."""
        return self._parse_unary() if self._stands_alone() else super()._parse_disjunction()

    def _stands_alone(self) -> bool:
        """Does an expression end with the name, the constant or the short call that comes next?"""
        if self._curr.token_type not in _OPERANDS:
            return False
        depth, before = 0, None
        for token in self._tokens[self._index + 1 : self._index + _LOOKED_AHEAD]:
            kind = token.token_type
            if depth == 0:
                if kind in _ENDS:
                    return True
                if kind not in _GOES_ON and before is not TokenType.DOT:
                    return False
            depth += (kind is TokenType.L_PAREN) - (kind is TokenType.R_PAREN)
            before = kind
        return before is None

    def _parse_interval(
        self,
        require_interval: bool = True,  # noqa: ARG002
        parse_function_unit: bool = True,  # noqa: ARG002
    ) -> exp.Interval | None:
        """INTERVAL 'text' with its text unchanged. sqlglot would take it apart and lose `ago` or the time of day."""
        index = self._index
        if not (self._match(TokenType.INTERVAL) and self._match(TokenType.STRING, advance=False)):
            self._retreat(index)
            return None
        amount = self._parse_primary()
        unit = None
        if self._curr is not None and self._curr.text.upper() in _INTERVAL_FIELDS:
            unit = self._parse_var(any_token=True, upper=True)
            if self._match_text_seq("TO") or self._match(TokenType.L_PAREN):
                self.raise_error("Only one field and no precision can follow an interval")
        return self.expression(exp.Interval(this=amount, unit=unit))

    def _parse_cube_or_rollup(self, with_prefix: bool = False) -> exp.Cube | exp.Rollup | None:
        """ROLLUP and CUBE of any expressions, not of operands alone."""
        if with_prefix or self._curr is None or self._curr.token_type not in (TokenType.CUBE, TokenType.ROLLUP):
            return None
        kind = exp.Cube if self._match(TokenType.CUBE) else exp.Rollup
        if kind is exp.Rollup:
            self._match(TokenType.ROLLUP)
        return self.expression(kind(expressions=self._parse_wrapped_csv(self._parse_disjunction)))

    def _parse_grouping_set(self) -> exp.Expr | None:
        return self._parse_grouping_sets() or self._parse_cube_or_rollup() or self._parse_disjunction()

    def _parse_type(self, parse_interval: bool = True, fallback_to_identifier: bool = False) -> exp.Expr | None:
        """A typed literal is one constant: DATE '2025-01-31'::text casts the date, not the string."""
        begins_with_type = self._curr is not None and self._curr.token_type in self.TYPE_TOKENS
        parsed: exp.Expr | None = super()._parse_type(parse_interval, fallback_to_identifier)
        if not begins_with_type or not isinstance(parsed, exp.Cast) or isinstance(parsed.this, exp.Literal):
            return parsed
        literal = parsed.this
        while isinstance(literal, (exp.Cast, exp.Bracket, exp.Dot)):
            literal = literal.this
        if isinstance(literal, exp.Literal):
            constant: exp.Expr = parsed.this
            literal.replace(exp.Cast(this=literal.copy(), to=parsed.args["to"]))
            return constant
        return parsed


_OPERANDS = frozenset({TokenType.VAR, TokenType.IDENTIFIER, TokenType.NUMBER, TokenType.STRING})
_GOES_ON = frozenset({TokenType.DOT, TokenType.L_PAREN})
_ENDS = frozenset(
    {
        TokenType.ALIAS, TokenType.ASC, TokenType.COMMA, TokenType.DESC, TokenType.ELSE, TokenType.END, TokenType.FROM,
        TokenType.GROUP_BY, TokenType.HAVING, TokenType.LIMIT, TokenType.ORDER_BY, TokenType.R_PAREN, TokenType.THEN,
        TokenType.WHEN, TokenType.WHERE,
    }
)  # fmt: skip
"""What is behind an expression, and no part of one."""
_LOOKED_AHEAD = 12
"""Tokens: more would be looked at again and again in long texts."""

_INTERVAL_FIELDS = frozenset({"YEAR", "MONTH", "DAY", "HOUR", "MINUTE", "SECOND"})

_FOREIGN_KEYWORDS = frozenset(
    [
        *"""ANTI APPLY ASOF AUTOINCREMENT AUTO_INCREMENT BIGDECIMAL BIGNUM BIGNUMERIC BINARY BLOB BYTE CLOB DATETIME
        DECFLOAT DECIMAL128 DECIMAL256 DECIMAL32 DECIMAL64 DESCRIBE DOUBLE ENUM EXEC FILE FIXED GEOGRAPHY
        GEOMETRY GLOB HSTORE HUGEINT INT1 INT128 INT16 INT256 INT32 INT64 KILL LIST LONG LONGBLOB LONGTEXT
        LONGVARCHAR MAP MEDIUMBLOB MEDIUMINT MEDIUMTEXT NAMESPACE NULLABLE NUMBER NVARCHAR NVARCHAR2 OBJECT
        OPTIMIZE OVERWRITE PARTITIONED_BY PERCENT PIVOT PRAGMA QUALIFY REF REGEXP RLIKE SEMI SETTINGS SHORT STR
        STRAIGHT_JOIN STRING STRUCT TIMESTAMPLTZ TIMESTAMPNTZ TIMESTAMP_LTZ TIMESTAMP_NTZ TIME_NS TINYBLOB
        TINYINT TINYTEXT UHUGEINT UINT UINT128 UINT256 UNCACHE UNPIVOT USE USER-DEFINED VARBINARY VARCHAR2
        VARIANT VECTOR XOR""".split(),
        "CONNECT BY",
        "DISTRIBUTE BY",
        "PARTITIONED BY",
        "SORT BY",
    ]
)
"""Keywords of other databases that are names in Postgres: FROM visits semi JOIN … has the alias semi."""


_LEFT_AS_THEY_ARE = frozenset(
    {
        exp.Add, exp.Alias, exp.And, exp.Anonymous, exp.Between, exp.Boolean, exp.CTE, exp.Case, exp.Cast, exp.Column,
        exp.DataType, exp.DataTypeParam, exp.Distinct, exp.EQ, exp.Exists, exp.Extract, exp.Filter, exp.From, exp.GT,
        exp.GTE, exp.Group, exp.Having, exp.Identifier, exp.If, exp.In, exp.Interval, exp.Is, exp.Join, exp.LT, exp.LTE,
        exp.Like, exp.Limit, exp.Literal, exp.Mul, exp.NEQ, exp.Neg, exp.Not, exp.Null, exp.Offset, exp.Or, exp.Order,
        exp.Ordered, exp.Paren, exp.Select, exp.Star, exp.Sub, exp.Subquery, exp.Table, exp.TableAlias, exp.Tuple,
        exp.Var, exp.Where, exp.Window, exp.WindowSpec, exp.With, exp.WithinGroup,
    }
)  # fmt: skip
"""Nodes that sqlglot only reads when it prints a query that it has parsed, but for their comments; they have none."""


def must_be_copied(nodes: list[exp.Expr]) -> bool:
    """Is a parsed query with these nodes, itself the first, to be printed from a copy? It may be changed there, or is
    printed as a part of something."""
    return nodes[0].parent is not None or any(node.__class__ not in _LEFT_AS_THEY_ARE for node in nodes)


_AFTER_FROM = ("where", "group", "having", "order", "limit", "offset")
_USUAL = frozenset({"with_", "distinct", "expressions", "from_", "joins", *_AFTER_FROM})
"""The clauses of most queries."""
_OF_TABLES = frozenset({"this", "db", "catalog", "alias"})
_OF_COLUMNS = frozenset({"this", "table", "db", "catalog"})
_NAMES: Final[ImmutableCache[tuple[str, bool], str]] = ImmutableCache(2_000)
"""How names are printed, by their text and whether they are quoted."""


class PlainPostgresGenerator(PostgresGenerator):
    """Operators as the client wrote them."""

    # count(DISTINCT a, b) is a call with two arguments, for Postgres to refuse.
    MULTI_ARG_DISTINCT = True

    TRANSFORMS: ClassVar[dict[type[exp.Expr], Callable[..., str]]] = {
        **{kind: printing for kind, printing in PostgresGenerator.TRANSFORMS.items() if kind is not exp.Select},
        # sqlglot would cast a string on the left to json.
        exp.JSONExtract: lambda self, node: self.binary(node, "->"),
        exp.JSONExtractScalar: lambda self, node: self.binary(node, "->>"),
        exp.JSONBExtract: lambda self, node: self.binary(node, "#>"),
        exp.JSONBExtractScalar: lambda self, node: self.binary(node, "#>>"),
        exp.Pow: lambda self, node: self.binary(node, "^"),
        exp.StartsWith: lambda self, node: self.binary(node, "^@"),
        exp.StrPosition: lambda self, node: f"POSITION({self.sql(node, 'substr')} IN {self.sql(node, 'this')})",
        exp.Sqrt: lambda self, node: f"|/ {self.sql(node, 'this')}",
        exp.Cbrt: lambda self, node: f"||/ {self.sql(node, 'this')}",
        Plus: lambda self, node: f"+ {self.sql(node, 'this')}",
        # With a space: ~-1 would be another operator.
        exp.BitwiseNot: lambda self, node: f"~ {self.sql(node, 'this')}",
        exp.CurrentTime: lambda self, node: f"CURRENT_TIME({self.sql(node, 'this')})" if node.this else "CURRENT_TIME",
    }

    def generate(self, expression: exp.Expr, copy: bool = True) -> str:
        """Print a tree, or a copy of it, which is changed on the way."""
        return super().generate(copied(expression) if copy else expression, copy=False)

    def select_sql(self, expression: exp.Select) -> str:
        """The clauses that most queries have. sqlglot looks for all that any database knows, and rewrites what the
        parser cannot have read here: semi-joins and QUALIFY."""
        args = expression.args
        if not {name for name, value in args.items() if value} <= _USUAL or isinstance(args.get("limit"), exp.Fetch):
            return super().select_sql(expression)
        distinct = f" {self.sql(args['distinct'])}" if args.get("distinct") else ""
        items = self.expressions(expression)
        clauses = [args["from_"]] if args.get("from_") else []
        clauses += args.get("joins") or ()
        clauses += [args[name] for name in _AFTER_FROM if args.get(name)]
        text = "".join(map(self.sql, clauses))
        return self.prepend_ctes(expression, f"SELECT{distinct} {items}{text}" if items else f"SELECT{distinct}{text}")

    def table_sql(self, expression: exp.Table, sep: str = " AS ") -> str:
        """A name and an alias, which is all that most tables have."""
        if not {name for name, value in expression.args.items() if value} <= _OF_TABLES:
            return super().table_sql(expression, sep)
        alias = self.sql(expression, "alias")
        return f"{self.table_parts(expression)}{sep}{alias}" if alias else self.table_parts(expression)

    def identifier_sql(self, expression: exp.Identifier) -> str:
        """As sqlglot's, which looks at each occurrence of a name in the same way."""
        name = expression.args["this"], bool(expression.args.get("quoted"))
        text = _NAMES.get(name)
        if text is None:
            text = super().identifier_sql(expression)
            _NAMES.put(name, text, weight=1)
        return text

    def column_sql(self, expression: exp.Column) -> str:
        """A name with what it is qualified by, which is all that most columns have."""
        args = expression.args
        if not args.keys() <= _OF_COLUMNS:
            return super().column_sql(expression)
        return ".".join([self.sql(args[part]) for part in ("catalog", "db", "table", "this") if args.get(part)])

    def anonymous_sql(self, expression: exp.Anonymous) -> str:
        """A call; sqlglot would ask whether to change its name, and how wide it is."""
        name = self.sql(expression, "this")
        return f"{name}({', '.join([self.sql(each) for each in expression.args.get('expressions') or ()])})"

    def datatype_sql(self, expression: exp.DataType) -> str:
        """An enum by its own name (`trees.enum_labels`)."""
        enum = expression.args.get("kind") if expression.this is exp.DType.TEXT else None
        if not enum:
            return super().datatype_sql(expression)
        return ".".join(self.sql(exp.to_identifier(part, quoted=True)) for part in enum.split(".", 1))

    def interval_sql(self, expression: exp.Interval) -> str:
        """The text and the field kept apart: INTERVAL '1.5' DAY is one day, INTERVAL '1.5 DAY' is more."""
        field = f" {self.sql(expression, 'unit')}" if expression.args.get("unit") is not None else ""
        return f"INTERVAL {self.sql(expression, 'this')}{field}"


class PlainPostgres(Postgres):
    """PostgreSQL without translated functions or date formats, or commands that swallow the rest of a text."""

    TIME_MAPPING = {}  # noqa: RUF012 (the base class declares it as an instance attribute)
    INDEX_OFFSET = 0
    Parser = PlainPostgresParser
    Generator = PlainPostgresGenerator

    def to_json_path(self, path: exp.Expr | None) -> exp.Expr | None:
        """The key after -> and ->> as the client wrote it; Postgres does not read it as a path."""
        return path

    class Tokenizer(Postgres.Tokenizer):
        COMMANDS: ClassVar[set[TokenType]] = set()
        KEYWORDS: ClassVar[dict[str, TokenType]] = {
            word: token for word, token in Postgres.Tokenizer.KEYWORDS.items() if word not in _FOREIGN_KEYWORDS
        }


# As an attribute of the class, what the base classes know of other databases would be added: weeks, and W for them.
PlainPostgres.VALID_INTERVAL_UNITS = set(_INTERVAL_FIELDS)

PLAIN_POSTGRES = PlainPostgres()
"""The dialect itself, of which there need be only one: it makes a parser, a tokenizer or a generator for each text."""


_PRINTING = threading.local()
"""A generator for each thread: to make one takes as long as to print a column."""


_OWN_NAMES = re.compile(r"\b(?:dpkeys\.)?dp(?:scalar|lateral|compared)\w*(?:\.\w+)?")
"""Names that planning gives to subqueries of clients and their columns."""


_AROUND = re.compile(r'"(dpouter|dpown)"\."\1_')
"""What planning writes before a column of the rows around a subquery."""


_WRITTEN = "written"


def note_written(node: exp.Expr, text: str) -> None:
    """Note what the client wrote where planning has put an expression of its own: CASE, a column, or one in
    parentheses."""
    node.meta[_WRITTEN] = text


class ReadableGenerator(PlainPostgresGenerator):
    """Prints what `note_written` says in the place of expressions."""

    def case_sql(self, expression: exp.Case) -> str:
        return expression.meta_get(_WRITTEN) or super().case_sql(expression)

    def column_sql(self, expression: exp.Column) -> str:
        return expression.meta_get(_WRITTEN) or super().column_sql(expression)

    def paren_sql(self, expression: exp.Paren) -> str:
        return expression.meta_get(_WRITTEN) or super().paren_sql(expression)


_LABELS: Final[ImmutableCache[Shape, str]] = ImmutableCache(200)
"""What constructs without notes are called: most texts aggregate what others do."""
_MOST_LABELLED = 50
"""Nodes of such a construct."""


def readable(node: exp.Expr) -> str:
    """A construct as messages name it in full, without names that the client has not written."""
    made_of = shape(node, _MOST_LABELLED)
    if made_of is None or any(_WRITTEN in each._meta for each in walk(node) if each._meta):
        return _printed_readably(node)
    text = _LABELS.get(made_of)
    if text is None:
        text = _printed_readably(node)
        _LABELS.put(made_of, text, weight=1)
    return text


def _printed_readably(node: exp.Expr) -> str:
    return _AROUND.sub('"', _OWN_NAMES.sub("(SELECT …)", printed(ReadableGenerator, node)))


def excerpt(node: exp.Expr, most: int = 80) -> str:
    """A construct as messages name it: cut after a word, and so marked, where it is longer than `most` characters."""
    text = readable(node)
    return text if len(text) <= most else f"{text[: most - 2].rpartition(' ')[0] or text[: most - 2]} …"


def render(tree: exp.Expr, *, copy: bool = True) -> str:
    """Print a tree as SQL for the stage (SQL for the source is printed only by `terms` and `source_queries`).

    Args:
        tree: what to print.
        copy: print a copy, since printing changes a tree; False for one that nobody else has.
    """
    return printed(PlainPostgresGenerator, tree, copy=copy)


def printed(kind: type[PlainPostgresGenerator], tree: exp.Expr, *, copy: bool = True) -> str:
    """As `render`, with a generator of this class."""
    generator = _PRINTING.__dict__.get(kind.__name__)
    if generator is None:
        generator = kind(dialect=PLAIN_POSTGRES, normalize_functions=False, comments=False)
        _PRINTING.__dict__[kind.__name__] = generator
    try:
        text: str = generator.generate(tree, copy=copy)
    except BaseException:
        del _PRINTING.__dict__[kind.__name__]  # What it keeps while it prints is not known to be put back.
        raise
    return text


class CompiledSqlglotError(Exception):
    """sqlglot is compiled here; the text says what to do."""


def require_interpreted() -> None:
    """Refuse to work with a compiled sqlglot: its parser cannot be extended, so every statement would fail.

    Raises:
        CompiledSqlglotError: it is compiled.
    """
    if not (tokenizer_core.__file__ or "").endswith(".py"):
        raise CompiledSqlglotError(
            "sqlglot is compiled here (the package sqlglotc is installed), and dpproxy cannot extend its parser: "
            "pip uninstall sqlglotc, and pip install --force-reinstall sqlglot as dpproxy requires it"
        )
