/** Default documents of a table, if the project has no templates. Filters: cell, code, fenced, number. */
export const TABLE_TEMPLATES: Readonly<Record<string, string>> = {
  columns: `# {{ table.name | cell }}

{{ table.kind | capitalize }} {{ table.full_name | code }} in the {{ table.dialect }} database {{ table.database | cell }}
{%- if table.rows %}, {% unless table.rows.exact %}about {% endunless %}{{ table.rows.count | number }} rows{% endif %}
{%- if table.through %}, data through {{ table.through.day }} ({{ table.through.column | cell }}){% endif %}.
{%- if table.comment %}

> {{ table.comment | cell }}
{%- endif %}

## Columns ({{ table.columns.size }})
{% if table.looked_at %}
Values are those of {{ table.looked_at | number }} rows.
{% endif %}
| column | type | null | key | values | about |
| --- | --- | --- | --- | --- | --- |
{%- for column in table.columns %}
| {{ column.name | cell }} | {{ column.type | cell }} | {{ column.nulls }} | {{ column.key | cell }} | {{ column.values }} | {{ column.about | cell }} |
{%- endfor %}
{%- if table.checks.size > 0 %}

Checks:
{%- for check in table.checks %}
- {{ check | code }}
{%- endfor %}
{%- endif %}
{%- if table.view_sql %}

## Definition

{{ table.view_sql | fenced: "sql" }}
{%- endif %}
`,
  how_to_use: `# How to use {{ table.name }}

| | |
| --- | --- |
| rows | {% if table.rows %}{% unless table.rows.exact %}about {% endunless %}{{ table.rows.count | number }}{% else %}not counted{% endif %} |
| columns | {{ table.columns.size }} |
| primary key | {{ table.primary_key | join: ", " | cell | default: "none" }} |
{%- if table.partitions.size > 0 %}
| partitioned by | {{ table.partitions | join: ", " | cell }} |

Filter on the partition: a query without it reads the whole table.
{%- endif %}
{%- if table.foreign_keys.size > 0 or joins.size > 0 %}

## Joins
{% for key in table.foreign_keys %}
- {{ key.on | code }}
{%- endfor %}
{%- for join in joins %}
- {{ join.on | code }} ({{ join.about | cell }})
{%- endfor %}
{%- endif %}
{%- if table.indexes.size > 0 %}

## Indexes
{% for index in table.indexes %}
- {{ index.name | code }} on {{ index.columns | join: ", " | cell }}{% if index.unique %}, unique{% endif %}
{%- endfor %}
{%- endif %}

## Usage

{% if usage -%}
Read {{ usage.times | number }} times by the queries the database remembers.
{%- if usage.joins.size > 0 %}

Most often joined with:
{% for join in usage.joins %}
- {{ join.table | code }} ({{ join.times | number }} times)
{%- endfor %}
{%- endif %}

Most frequent queries:
{% for query in usage.queries %}
{{ query.times | number }} times:

\`\`\`sql
{{ query.sql }}
\`\`\`
{%- endfor %}
{%- else -%}
The database keeps no history of queries on this table.
{%- endif %}
{%- if examples.size > 0 %}

## Examples

With their SQL in [examples.md](../../examples.md):
{% for question in examples limit: 10 %}
- {{ question | cell }}
{%- endfor %}
{%- if examples.size > 10 %}
- and {{ examples.size | minus: 10 }} more
{%- endif %}
{%- endif %}
`,
  preview: `# Rows of {{ table.name }}

{% if preview == null -%}
Not read: that costs more than \`profiling.max_bytes\` allows.
{%- elsif preview.rows.size == 0 -%}
The {{ table.kind }} is empty.
{%- else -%}
{% if preview.all %}All rows.{% else %}{{ preview.rows.size }}{% if table.rows %} of {% unless table.rows.exact %}about {% endunless %}{{ table.rows.count | number }}{% endif %} rows, chosen for variety, {{ preview.how }}.{% endif %}
{%- if personal %} {{ personal | cell }}{% endif %}

| {% for column in preview.columns %}{{ column | cell }}{% unless forloop.last %} | {% endunless %}{% endfor %} |
| {% for column in preview.columns %}---{% unless forloop.last %} | {% endunless %}{% endfor %} |
{%- for row in preview.rows %}
| {% for value in row %}{{ value | cell }}{% unless forloop.last %} | {% endunless %}{% endfor %} |
{%- endfor %}
{%- endif %}
`,
  profiling: `# Profile of {{ table.name }}

{% if profile == null -%}
Not profiled yet: the time for profiling was spent. The next \`ken sync\` goes on.
{%- elsif profile.sampled -%}
Computed on {{ profile.rows | number }} rows of {{ table.rows.count | number }}, {% if profile.spread %}a sample over the whole table{% else %}the first ones{% endif %}.
{%- else -%}
Computed on all {{ profile.rows | number }} rows.
{%- endif %}
{%- if personal %} {{ personal | cell }}{% endif %}
{%- if profile %}

| column | nulls | distinct | min | max | mean | stddev |
| --- | ---: | ---: | --- | --- | ---: | ---: |
{%- for column in profile.columns %}
| {{ column.name | cell }} | {% if column.nulls > 0 %}{{ column.nulls | number }} ({{ column.null_percent }} %){% else %}0{% endif %} | {{ column.distinct | number }} | {{ column.min | cell }} | {{ column.max | cell }} | {{ column.mean | number }} | {{ column.stddev | number }} |
{%- endfor %}
{%- if profile.tops.size > 0 %}

## Most frequent values
{% for column in profile.tops %}
- {{ column.name | cell }}: {% for value in column.top %}{{ value.value | code }} {{ value.count | number }}{% unless forloop.last %}, {% endunless %}{% endfor %}
{%- endfor %}
{%- endif %}
{%- if profile.failed.size > 0 %}

Not profiled: {{ profile.failed | join: ", " }}{% if profile.limit %}; {{ profile.limit }}{% endif %}.
{%- endif %}
{%- endif %}
`,
}
