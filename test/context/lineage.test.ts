import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openContextDesk, type ContextDesk } from './context-desk.ts'

let desk: ContextDesk
beforeEach(() => {
  desk = openContextDesk()
})
afterEach(() => desk.close())

const pages = (folder: string): readonly string[] =>
  Object.keys(desk.files())
    .filter((path) => path.startsWith(folder))
    .sort()
const body = (path: string): string => desk.read(path).replace(/^---\n[^]*?\n---\n\n/, '')

describe('Airflow DAG files', () => {
  test('list their schedule, the inputs and outputs of their tasks, and the task order', async () => {
    desk.write(
      'dags/sales.py',
      `
from datetime import timedelta
from airflow import DAG
from airflow.datasets import Dataset
from airflow.models.baseoperator import chain

SCHEMA = "mart"
ORDERS = Dataset("s3://lake/orders")
INSERT = f"INSERT INTO {SCHEMA}.sales SELECT * FROM raw.orders JOIN raw.{{{{ params.x }}}} ON true"

with DAG(
    "daily_sales",
    schedule="0 6 * * *",
    default_args={"owner": "data-team", "retries": 2},
    description="Sales per day.",
    tags=["finance"],
) as dag:
    wait = SqlSensor(task_id="wait", sql="SELECT 1 FROM raw.orders LIMIT 1")
    load = PostgresOperator(task_id="load", sql=INSERT, outlets=[ORDERS])
    copy = S3ToRedshiftOperator(task_id="copy", schema="stage", table="orders", s3_bucket="b")
    with TaskGroup("checks") as checks:
        a = SQLTableCheckOperator(task_id="rows", table="mart.sales")
        b = SQLExecuteQueryOperator(task_id="file", sql="sql/totals.sql")
        a.set_downstream(b)
    done = EmptyOperator(task_id="done")
    wait >> [load, copy] >> checks
    done << checks
    for t in TABLES:
        BashOperator(task_id=f"clean_{t}", bash_command="rm")
`,
    )
    desk.write('dags/sql/totals.sql', 'CREATE OR REPLACE TABLE mart.totals AS SELECT * FROM mart.sales')
    desk.configure({ name: 'x', airflow: { path: 'dags' } })
    expect((await desk.sync()).failures).toEqual([])
    expect(body('docs/airflow/airflow/daily_sales.md')).toBe(`# daily_sales

Airflow DAG in \`sales.py\`. Schedule: \`0 6 * * *\`. Owner: data-team. Tags: finance.

Sales per day.

## Tasks

- wait: SqlSensor; reads raw.orders
- load: PostgresOperator; after wait; writes mart.sales, s3://lake/orders; reads raw.orders
- copy: S3ToRedshiftOperator; after wait; writes stage.orders
- checks.rows: SQLTableCheckOperator; reads mart.sales
- checks.file: SQLExecuteQueryOperator; after checks.rows; writes mart.totals; reads mart.sales
- done: EmptyOperator; after checks
- clean_{t}: BashOperator
- checks: after load, copy
`)
    expect(body('docs/airflow/airflow/written-by.md')).toBe(`# Airflow: what writes a table

- mart.sales ← daily_sales.load (0 6 * * *); read by daily_sales.checks.file, daily_sales.checks.rows
- mart.totals ← daily_sales.checks.file (0 6 * * *)
- s3://lake/orders ← daily_sales.load (0 6 * * *)
- stage.orders ← daily_sales.copy (0 6 * * *)
`)
  })

  test('support functions as tasks, names for DAGs, and assets', async () => {
    desk.write(
      'dags/flow.py',
      `
from airflow.sdk import dag, task, asset, Asset, chain

@dag(schedule=[Asset("orders"), Asset("rates")])
def flow():
    """Converts currencies."""

    @task
    def extract():
        return db.run("SELECT * FROM raw.rates")

    @task(task_id="convert", outlets=[Asset("converted")])
    def transform(rows, factor):
        hook.run("INSERT INTO mart.converted SELECT 1")

    @task.branch
    def choose(rows): ...

    rows = extract()
    out = transform(rows, 3)
    choose(out)
    transform.override(task_id="again")(rows, 4)
    chain([rows, out], [A(task_id="p"), A(task_id="q")])

flow()

@asset(schedule="@daily", uri="s3://lake/clean")
def clean():
    pass
`,
    )
    desk.write(
      'dags/old.py',
      `
from airflow import DAG
one = DAG(dag_id="one", schedule_interval=timedelta(hours=1))
two = DAG(dag_id="two", schedule_interval=None)
a = MyOperator(task_id="a", dag=one, table="x.y")
b = MyOperator(task_id="b", dag=two)
c = BigQueryInsertJobOperator(task_id="c", dag=one, configuration={"query": {
    "query": "SELECT 1 FROM p.d.s", "destinationTable": {"projectId": "p", "datasetId": "d", "tableId": "t"}}})
a >> c
`,
    )
    desk.write('dags/not_a_dag.py', 'import pandas\nDAG("none")\n')
    desk.write('dags/broken.py', 'from airflow import DAG\nwith DAG("half" as dag:\n  x = (((\n')
    desk.configure({ name: 'x', airflow: { path: 'dags' } })
    expect((await desk.sync()).failures).toEqual([])
    expect(body('docs/airflow/airflow/flow.md')).toBe(`# flow

Airflow DAG in \`flow.py\`. Schedule: when orders and rates changes.

Converts currencies.

## Tasks

- extract: @task; reads raw.rates
- convert: @task; after extract; writes mart.converted, converted
- choose: @task.branch; after convert
- again: @task; after extract; writes mart.converted, converted
- p: A; after extract
- q: A; after convert
`)
    expect(body('docs/airflow/airflow/clean.md')).toContain('- clean: @asset; writes s3://lake/clean')
    expect(body('docs/airflow/airflow/one.md')).toContain(
      'Schedule: `timedelta(hours=1)`.\n\n## Tasks\n\n- a: MyOperator; names x.y\n- c: BigQueryInsertJobOperator; after a; writes p.d.t; reads p.d.s',
    )
    expect(body('docs/airflow/airflow/two.md')).toContain('Schedule: started by hand.')
    expect(pages('docs/airflow').some((path) => /none|not_a/.test(path))).toBe(false)
  })
})

test('Dagster files list the inputs of an asset, its job and its time', async () => {
  desk.write(
    'defs/assets.py',
    `
import dagster as dg
from dagster import asset, AssetKey, AssetSpec, AssetIn

PREFIX = ["raw"]
rates = AssetSpec(key=["bank", "rates"], group_name="external", description="From the bank.")

@asset(key_prefix=PREFIX, group_name="sales", owners=["team:data"], compute_kind="duckdb")
def orders(context, duckdb: DuckDBResource):
    """One row per order."""
    duckdb.execute("CREATE TABLE raw.orders AS SELECT * FROM read_csv('x') JOIN stage.customers USING (id)")

@dg.asset(deps=[rates, "legacy", AssetKey(["raw", "orders"])], group_name="sales", metadata={"dagster/table_name": "mart.revenue", "rows": 3})
def revenue(orders, config: MyConfig): ...

@dg.multi_asset(specs=[AssetSpec("a", deps=["revenue"]), AssetSpec("b")], group_name="ml")
def models(): ...
`,
  )
  desk.write(
    'defs/jobs.py',
    `
from dagster import define_asset_job, AssetSelection, ScheduleDefinition, Definitions
daily = define_asset_job("daily_sales", selection=AssetSelection.groups("sales"))
schedules = [ScheduleDefinition(job=daily, cron_schedule="0 5 * * *")]
`,
  )
  desk.configure({ name: 'x', dagster: { path: 'defs' } })
  expect((await desk.sync()).failures).toEqual([])
  expect(body('docs/dagster/dagster/sales.md')).toBe(`# Dagster assets: sales

## raw/orders
\`assets.py\`; runs \`0 5 * * *\`; writes raw.orders; reads stage.customers; owned by team:data; duckdb
One row per order.

## revenue
\`assets.py\`; runs \`0 5 * * *\`; made from bank/rates, legacy, raw/orders; dagster/table_name: mart.revenue; rows: 3
`)
  expect(body('docs/dagster/dagster/ml.md')).toContain('## a\n`assets.py`; made from revenue\n\n## b')
  expect(body('docs/dagster/dagster/written-by.md')).toContain(
    '- mart.revenue ← asset revenue (0 5 * * *)\n- raw.orders ← asset raw/orders (0 5 * * *); read by asset revenue',
  )
})

describe('OpenLineage events', () => {
  const event = (run: string, eventTime: string, more: object): object => ({
    eventType: 'COMPLETE',
    eventTime,
    run: { runId: run },
    job: { namespace: 'airflow', name: 'daily_sales.load' },
    producer: 'https://github.com/OpenLineage/OpenLineage/tree/1.0.0/client',
    schemaURL: 'https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent',
    ...more,
  })
  const namespace = 'postgres://db:5432'
  const sales = {
    namespace,
    name: 'shop.mart.sales',
    facets: {
      schema: { fields: [{ name: 'total', type: 'NUMERIC', description: 'Net | EUR' }] },
      columnLineage: {
        fields: { total: { inputFields: [{ namespace, name: 'shop.raw.orders', field: 'amount' }] } },
      },
    },
  }

  test('list the inputs and outputs of a job in its newest run, down to the columns', async () => {
    const job = {
      namespace: 'airflow',
      name: 'daily_sales.load',
      facets: { sql: { query: 'INSERT INTO mart.sales SELECT 1' }, documentation: { description: 'Loads sales.' } },
    }
    desk.write(
      'events/a.ndjson',
      [
        event('1', '2026-01-01T00:00:00Z', { outputs: [{ namespace, name: 'shop.mart.old' }] }),
        event('2', '2026-01-02T00:00:00Z', {
          eventType: 'START',
          job,
          inputs: [{ namespace, name: 'shop.raw.orders' }],
        }),
        event('2', '2026-01-02T00:01:00Z', { outputs: [sales] }),
        event('3', '2026-01-03T00:00:00Z', { eventType: 'FAIL' }),
        { no: 'event' },
      ]
        .map((one) => JSON.stringify(one))
        .join('\n'),
    )
    desk.configure({ name: 'x', openlineage: { path: 'events' } })
    const output = await desk.sync()
    expect(output.failures).toEqual([])
    expect(output.skipped).toMatchObject([{ item: 'a.ndjson', message: '1 of its entries are no run events' }])
    expect(body('docs/openlineage/openlineage/daily_sales.load.md')).toBe(`# daily_sales.load

Writes shop.mart.sales. Reads shop.raw.orders.

Loads sales.

## shop.mart.sales

| column | type | from | about |
| --- | --- | --- | --- |
| total | NUMERIC | shop.raw.orders.amount | Net \\| EUR |

## SQL

\`\`\`sql
INSERT INTO mart.sales SELECT 1
\`\`\`
`)
    expect(body('docs/openlineage/openlineage/written-by.md')).toContain('- shop.mart.sales ← daily_sales.load')
  })

  test('fail if they are invalid, and compiled pages are kept', async () => {
    desk.write('events/a.json', JSON.stringify([event('1', '2026-01-01T00:00:00Z', { outputs: [sales] })]))
    desk.configure({ name: 'x', openlineage: { path: 'events' } })
    await desk.sync()
    desk.write('events/a.json', '[]')
    expect((await desk.sync()).failures[0]?.message).toContain('No OpenLineage events found')
    expect(desk.exists('docs/openlineage/openlineage/daily_sales.load.md')).toBe(true)
  })
})
