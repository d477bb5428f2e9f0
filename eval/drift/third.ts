import { type DriftRepository, json } from './repository.ts'

/** `count` lines, each different from the last. */
const lines = (count: number, shape: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => `${shape(i)}\n`).join('')

const settingsPy = lines(14, (i) => `setting_${i}: str = Field(default="value-${i}", alias="FORECAST_${i}")`)

const uv: DriftRepository = {
  name: 'forecast (pyproject, uv)',
  commits: [
    {
      day: '2025-03-03',
      files: {
        'pyproject.toml': `[project]
name = "forecast"
version = "0.4.0"
requires-python = ">=3.12,<3.13"
dependencies = [
    "fastapi>=0.115",
    "httpx>=0.27",
    "sqlalchemy[asyncio]>=2.0",
    "structlog>=24.1",
    "pydantic-settings>=2.3",
    "arq>=0.26",
]

[dependency-groups]
dev = ["pytest>=8.2", "ruff>=0.5", "mypy>=1.10"]

[tool.ruff]
line-length = 100

[tool.mypy]
strict = true
`,
        '.python-version': '3.12\n',
        Dockerfile: 'FROM python:3.12-slim\nCOPY . /app\nRUN pip install uv && uv sync --frozen\n',
        'src/forecast/app.py': 'from fastapi import FastAPI\nimport structlog\n\napp = FastAPI()\n',
        'src/forecast/upstream.py':
          'import httpx\n\n\nasync def fetch(url: str) -> dict:\n    async with httpx.AsyncClient() as client:\n        return (await client.get(url)).json()\n',
        'src/forecast/tasks.py': 'from arq import cron\n\n\nasync def nightly(ctx):\n    return cron\n',
        'src/forecast/settings.py': `from pydantic import Field\nfrom pydantic_settings import BaseSettings\n\n${settingsPy}`,
        'src/forecast/rollup.py': lines(
          24,
          (i) => `def hour_${i}(rows): return sum(r.value for r in rows if r.hour == ${i})`,
        ),
        'src/forecast/db.py': 'from sqlalchemy.ext.asyncio import create_async_engine\n',
        'README.md': '# Forecast\n\nWeather for operations.\n',
        'uv.lock': 'version = 1\n\n[[package]]\nname = "fastapi"\nversion = "0.115.2"\n',
      },
    },
    {
      day: '2025-05-12',
      files: {
        'pyproject.toml': `[project]
name = "forecast"
version = "0.5.0"
requires-python = ">=3.12,<3.13"
dependencies = [
    "fastapi>=0.115",
    "httpx>=0.27",
    "sqlalchemy[asyncio]>=2.0",
    "structlog>=24.1",
    "pydantic-settings>=2.3",
    "arq>=0.26",
    "pyarrow>=16",
]

[dependency-groups]
dev = ["pytest>=8.2", "ruff>=0.5", "mypy>=1.10"]

[tool.ruff]
line-length = 100

[tool.mypy]
strict = true
`,
        'src/forecast/export.py':
          'import pyarrow.parquet as pq\n\n\ndef write(table, path):\n    pq.write_table(table, path)\n',
      },
    },
    {
      day: '2025-10-06',
      files: {
        'pyproject.toml': `[project]
name = "forecast"
version = "1.1.0"
requires-python = ">=3.13"
dependencies = [
    "fastapi>=0.116",
    "httpx>=0.28",
    "requests>=2.32",
    "sqlalchemy[asyncio]>=2.0.36",
    "structlog>=24.4",
    "pydantic-settings>=2.6",
    "celery[redis]>=5.4",
]

[dependency-groups]
dev = ["pytest>=8.3", "pyright>=1.1.380", { include-group = "lint" }]
lint = ["ruff>=0.7"]

[tool.ruff]
# The same width that black would take by default, plus twelve.
line-length = 100

[tool.ruff.format]
quote-style = "double"

[tool.pyright]
typeCheckingMode = "strict"
`,
        '.python-version': '3.13\n',
        Dockerfile: 'FROM python:3.13-slim\nCOPY . /app\nRUN pip install uv && uv sync --frozen\n',
        'src/forecast/upstream.py':
          'import httpx\nimport requests\n\n\nasync def fetch(url: str) -> dict:\n    async with httpx.AsyncClient() as client:\n        return (await client.get(url)).json()\n\n\ndef fetch_stations(url: str) -> list:\n    return requests.get(url, timeout=10).json()\n',
        'src/forecast/tasks.py':
          'from celery import Celery\n\nworker = Celery("forecast")\n\n\n@worker.task\ndef nightly():\n    return 1\n',
        'src/forecast/settings.py': `from pydantic import Field\nfrom pydantic_settings import BaseSettings\n\n# Every one of these may be set in the environment.\n${lines(
          14,
          (i) => `setting_${i}: str = Field(\n    default="value-${i}",\n    alias="FORECAST_${i}",\n)`,
        )}`,
        'src/forecast/rollup.py': lines(
          20,
          (i) => `ROLLUP_${i} = text("SELECT hour, avg(value) FROM reading WHERE bucket = ${i} GROUP BY hour")`,
        ),
        'src/forecast/export.py':
          'import csv\n\n\ndef write(rows, path):\n    with open(path, "w") as f:\n        csv.writer(f).writerows(rows)\n',
        'tests/test_rollup.py': lines(18, (i) => `def test_hour_${i}(): assert hour(${i}) == ${i * 2}`),
        'README.md':
          '# Forecast\n\nWeather for operations. Before 0.3 the logs were written by loguru, and packages were kept by Poetry.\n',
        'uv.lock':
          'version = 1\n\n[[package]]\nname = "loguru"\nversion = "0.7.2"\n\n[[package]]\nname = "poetry-core"\nversion = "1.9.0"\n',
      },
    },
  ],
  decisions: [
    {
      num: 1,
      date: '2025-03-04',
      title: 'Upstream calls are made with httpx',
      rationale: 'One client for sync and async, and the test client of FastAPI is built on it already.',
      rejected: [
        { name: 'requests', reason: 'No async; it would block the event loop.' },
        { name: 'aiohttp', reason: 'A second API to learn for no gain.' },
      ],
      wanted: 'rejected_back',
      why: 'requests is a dependency and fetches the stations',
    },
    {
      num: 2,
      date: '2025-03-04',
      title: 'Background jobs: arq',
      rationale: 'We have a Redis and twelve jobs. arq is four files.',
      rejected: [{ name: 'Celery', reason: 'Too much machinery for twelve jobs.' }],
      wanted: 'replaced',
      why: 'celery in, arq out',
    },
    {
      num: 3,
      date: '2025-03-05',
      title: 'Type-check with mypy, strict from day one',
      wanted: 'chosen_gone',
      why: 'pyright took its place, which nobody had weighed',
    },
    {
      num: 4,
      date: '2025-03-05',
      title: 'We are on Python 3.12',
      rationale: 'The wheels of our forecasting models are built for 3.12 only. Revisit when they are not.',
      wanted: 'pin_broken',
      why: '.python-version, requires-python and the image say 3.13',
    },
    {
      num: 5,
      date: '2025-03-10',
      title: 'Rollups are computed in application code, row by row',
      rationale: 'The numbers have to be explained to auditors; a loop can be read aloud.',
      files_affected: ['src/forecast/rollup.py'],
      wanted: 'changed_much',
      why: 'all of it is SQL now',
    },
    {
      num: 6,
      date: '2025-03-20',
      title: 'Exports leave as Parquet, written by pyarrow',
      rejected: [{ name: 'Avro', reason: 'The analysts cannot open it.' }],
      wanted: 'chosen_gone',
      why: 'pyarrow came after the decision and is gone again',
    },
    {
      num: 7,
      date: '2025-03-05',
      title: 'Ruff lints and formats',
      rejected: [
        { name: 'Black', reason: 'A second tool for what Ruff does.' },
        { name: 'Flake8', reason: 'Slow, and a plugin for each thing.' },
      ],
      wanted: 'quiet',
      why: 'moved to a group of its own; black is named in a comment',
    },
    {
      num: 8,
      date: '2025-03-05',
      title: 'Logs are structured (structlog)',
      rejected: [{ name: 'loguru', reason: 'Pretty, not structured.' }],
      wanted: 'quiet',
      why: 'loguru in the README and in the lock file only',
    },
    {
      num: 9,
      date: '2025-03-05',
      title: 'Configuration comes from the environment, typed by pydantic-settings',
      files_affected: ['src/forecast/settings.py'],
      wanted: 'quiet',
      why: 'reformatted, and a comment added',
    },
    {
      num: 10,
      date: '2025-03-05',
      title: 'SQLAlchemy 2.0 with async sessions',
      rejected: [
        { name: 'Tortoise ORM', reason: 'Small community.' },
        { name: 'Django ORM', reason: 'Comes with all of Django.' },
      ],
      wanted: 'quiet',
      why: '2.0.36 is 2.0',
    },
    {
      num: 11,
      date: '2025-03-03',
      title: 'Packages are managed with Poetry',
      rejected: [{ name: 'uv', reason: 'Too young.' }],
      status: 'superseded',
      superseded_by: '12',
      wanted: 'quiet',
      why: 'superseded',
    },
    {
      num: 12,
      date: '2025-03-04',
      title: 'uv instead of Poetry',
      supersedes: '11',
      rejected: [{ name: 'Poetry', reason: 'Resolving took four minutes.' }],
      wanted: 'quiet',
      why: 'poetry-core in the lock file and a sentence in the README',
    },
    {
      num: 13,
      date: '2025-03-10',
      title: 'Stations are keyed by their WMO number',
      rejected: [{ name: 'Own UUIDs', reason: 'Nobody in the field knows them.' }],
      wanted: 'quiet',
      why: 'nothing of it can be seen in the repository',
    },
  ],
}

const queries = lines(
  16,
  (i) => `export const useThing${i} = () => useQuery({ queryKey: ['thing', ${i}], queryFn: fetchThing${i} })`,
)

const pnpm: DriftRepository = {
  name: 'storefront (pnpm catalogs)',
  commits: [
    {
      day: '2025-01-15',
      files: {
        'package.json': json({
          name: 'storefront',
          private: true,
          packageManager: 'pnpm@9.12.0',
          scripts: { build: 'turbo run build', test: 'vitest run' },
          devDependencies: {
            turbo: '^2.1.0',
            typescript: 'catalog:',
            vitest: 'catalog:',
            '@changesets/cli': '^2.27.0',
          },
        }),
        'pnpm-workspace.yaml': `packages:
  - apps/*
  - packages/*
catalog:
  react: ^18.3.1
  react-dom: ^18.3.1
  typescript: ^5.6.0
  vitest: ^2.1.0
  zod: ^3.23.0
  date-fns: ^4.1.0
`,
        'turbo.json': json({ tasks: { build: { dependsOn: ['^build'] } } }),
        'apps/web/package.json': json({
          name: '@store/web',
          dependencies: {
            next: '^14.2.0',
            react: 'catalog:',
            '@tanstack/react-query': '^5.59.0',
            zod: 'catalog:',
            zustand: '^5.0.0',
            '@store/ui': 'workspace:*',
          },
        }),
        'apps/web/src/cart.ts':
          "import { create } from 'zustand'\nexport const useCart = create(() => ({ items: [] }))\n",
        'apps/web/src/queries.ts': `import { useQuery } from '@tanstack/react-query'\n${queries}`,
        'apps/web/src/forms.ts': "import { z } from 'zod'\nexport const address = z.object({ city: z.string() })\n",
        'apps/admin/package.json': json({
          name: '@store/admin',
          dependencies: { react: 'catalog:', 'date-fns': 'catalog:', '@store/ui': 'workspace:*' },
          devDependencies: { vite: '^5.4.0', cypress: '^13.15.0' },
        }),
        'apps/admin/src/main.tsx': "import { format } from 'date-fns'\nexport const today = format(new Date(), 'P')\n",
        'packages/ui/package.json': json({
          name: '@store/ui',
          peerDependencies: { react: '>=18' },
          dependencies: { '@radix-ui/react-dialog': '^1.1.0', '@radix-ui/react-popover': '^1.1.0' },
        }),
        'packages/ui/src/dialog.tsx':
          "import * as RadixDialog from '@radix-ui/react-dialog'\nexport const Dialog = RadixDialog.Root\n",
        'packages/ui/src/button.test.tsx': "import { test } from 'vitest'\ntest('renders', () => {})\n",
        '.changeset/config.json': json({ changelog: '@changesets/cli/changelog', access: 'restricted' }),
        Dockerfile: 'FROM node:22-slim\nRUN corepack enable\nRUN pnpm install --frozen-lockfile\n',
        'pnpm-lock.yaml': "lockfileVersion: '9.0'\n",
      },
    },
    {
      day: '2025-08-20',
      renames: [['apps/web/src/queries.ts', 'apps/web/src/data/queries.ts']],
      files: {
        'package.json': json({
          name: 'storefront',
          private: true,
          packageManager: 'pnpm@10.4.1',
          scripts: { build: 'nx run-many -t build', test: 'vitest run' },
          devDependencies: {
            nx: '^20.4.0',
            '@nx/js': '^20.4.0',
            typescript: 'catalog:',
            vitest: 'catalog:',
            '@changesets/cli': '^2.28.0',
          },
        }),
        'pnpm-workspace.yaml': `packages:
  - apps/*
  - packages/*
catalog:
  react: ^19.0.0
  react-dom: ^19.0.0
  typescript: ^5.7.0
  vitest: ^3.0.0
  zod: ^3.24.0
  dayjs: ^1.11.0
`,
        'turbo.json': null,
        'nx.json': json({ targetDefaults: { build: { dependsOn: ['^build'] } } }),
        'apps/web/package.json': json({
          name: '@store/web',
          dependencies: {
            next: '^15.1.0',
            react: 'catalog:',
            '@tanstack/react-query': '^5.66.0',
            zustand: '^5.0.3',
            '@reduxjs/toolkit': '^2.5.0',
            '@store/ui': 'workspace:*',
            '@store/schemas': 'workspace:*',
          },
        }),
        'apps/web/src/checkout.ts':
          "import { createSlice } from '@reduxjs/toolkit'\nexport const checkout = createSlice({ name: 'checkout', initialState: {}, reducers: {} })\n",
        'apps/web/src/forms.ts': "export { address } from '@store/schemas'\n",
        'packages/schemas/package.json': json({ name: '@store/schemas', dependencies: { zod: 'catalog:' } }),
        'packages/schemas/src/index.ts':
          "import { z } from 'zod'\nexport const address = z.object({ city: z.string() })\n",
        'apps/admin/package.json': json({
          name: '@store/admin',
          dependencies: { react: 'catalog:', dayjs: 'catalog:', '@store/ui': 'workspace:*' },
          devDependencies: { vite: '^6.1.0', cypress: '^13.17.0', '@playwright/test': '^1.50.0' },
        }),
        'apps/admin/src/main.tsx': "import dayjs from 'dayjs'\nexport const today = dayjs().format('L')\n",
        'apps/kiosk/package.json': json({
          name: '@store/kiosk',
          dependencies: { react: 'catalog:', 'react-router': '^7.1.0' },
        }),
        'apps/kiosk/src/main.tsx':
          "import { createBrowserRouter } from 'react-router'\nexport const router = createBrowserRouter([])\n",
        'packages/ui/package.json': json({
          name: '@store/ui',
          peerDependencies: { react: '>=18' },
          dependencies: { '@base-ui-components/react': '^1.0.0-alpha.5' },
          devDependencies: { '@testing-library/jest-dom': '^6.6.0' },
        }),
        'packages/ui/src/dialog.tsx':
          "import { Dialog as BaseDialog } from '@base-ui-components/react/dialog'\nexport const Dialog = BaseDialog.Root\n",
        'packages/ui/src/button.test.tsx':
          "import '@testing-library/jest-dom/vitest'\nimport { test } from 'vitest'\n// Jest would have hoisted this.\ntest('renders', () => {})\n",
        '.changeset/config.json': json({
          changelog: '@changesets/cli/changelog',
          access: 'restricted',
          ignore: ['@store/kiosk'],
          updateInternalDependencies: 'patch',
        }),
        Dockerfile: 'FROM node:22-slim\nRUN npm install --global pnpm@10.4.1\nRUN pnpm install --frozen-lockfile\n',
        'pnpm-lock.yaml': "lockfileVersion: '9.0'\npackages:\n  swr@2.3.0:\n    resolution: {integrity: sha512-x}\n",
      },
    },
  ],
  decisions: [
    {
      num: 1,
      date: '2025-02-01',
      title: 'Stay on React 18 until the design system is ported',
      rejected: [{ name: 'React 19 now', reason: 'Refs as props break half of packages/ui.' }],
      wanted: 'pin_broken',
      why: 'the catalog says 19',
    },
    {
      num: 2,
      date: '2025-02-01',
      title: 'Turborepo runs the tasks',
      rationale:
        'Context: builds take nine minutes. Decision: Turborepo with the remote cache. Consequences: one more tool.',
      rejected: [{ name: 'Nx', reason: 'Wants to own the layout of the repository.' }],
      wanted: 'replaced',
      why: 'nx and nx.json in, turbo and turbo.json out',
    },
    {
      num: 3,
      date: '2025-02-03',
      title: 'Client state lives in Zustand stores',
      rejected: [{ name: 'Redux Toolkit', reason: 'Ceremony; we have three stores.' }],
      wanted: 'rejected_back',
      why: '@reduxjs/toolkit beside zustand',
    },
    {
      num: 4,
      date: '2025-02-03',
      title: 'date-fns for dates',
      rejected: [
        { name: 'Moment', reason: 'Dead.' },
        { name: 'Day.js', reason: 'Plugins for everything, and they mutate the prototype.' },
      ],
      wanted: 'replaced',
      why: 'dayjs in, date-fns out',
    },
    {
      num: 5,
      date: '2025-02-10',
      title: 'UI primitives come from Radix',
      files_affected: ['packages/ui/'],
      wanted: 'chosen_gone',
      why: 'Base UI took its place',
    },
    {
      num: 6,
      date: '2025-02-10',
      title: 'Everything that crosses a boundary is parsed with Zod',
      rejected: [{ name: 'Yup', reason: 'Types are an afterthought.' }],
      wanted: 'quiet',
      why: 'moved to packages/schemas',
    },
    {
      num: 7,
      date: '2025-02-10',
      title: 'Unit tests in Vitest',
      rejected: [{ name: 'Jest', reason: 'ESM is still experimental.' }],
      wanted: 'quiet',
      why: '@testing-library/jest-dom is matchers, used with vitest; the other mention is a comment',
    },
    {
      num: 8,
      date: '2025-02-10',
      title: 'pnpm',
      rationale: 'Strict node_modules, catalogs, fast.',
      rejected: [
        { name: 'Yarn', reason: 'PnP broke two tools.' },
        { name: 'npm', reason: 'No catalogs; hoists everything.' },
      ],
      wanted: 'quiet',
      why: 'npm in the Dockerfile only fetches pnpm',
    },
    {
      num: 9,
      date: '2025-02-12',
      title: 'Versions and changelogs by Changesets',
      files_affected: ['.changeset/config.json'],
      rejected: [{ name: 'semantic-release', reason: 'Commit messages are no changelog.' }],
      wanted: 'quiet',
      why: 'its config grew',
    },
    {
      num: 10,
      date: '2025-02-12',
      title: 'Server state goes through TanStack Query',
      files_affected: ['apps/web/src/queries.ts'],
      rejected: [{ name: 'SWR', reason: 'Mutations are bolted on.' }],
      wanted: 'quiet',
      why: 'the file was renamed; swr is in the lock file only',
    },
    {
      num: 11,
      date: '2025-02-12',
      title: 'Marketing pages stay in Webflow',
      rejected: [{ name: 'Contentful', reason: 'Marketing would need us for each page.' }],
      wanted: 'quiet',
      why: 'never lived here',
    },
    {
      num: 12,
      date: '2025-02-14',
      title: 'The admin does without a router',
      files_affected: ['apps/admin/'],
      rejected: [{ name: 'React Router', reason: 'Two screens.' }],
      wanted: 'quiet',
      why: 'the kiosk has one, which is another package',
    },
    {
      num: 13,
      date: '2025-02-14',
      title: 'New end-to-end tests are written in Playwright',
      rejected: [{ name: 'Cypress', reason: 'One browser tab, one origin. What exists stays until it breaks.' }],
      wanted: 'quiet',
      why: 'cypress was there all along',
    },
  ],
}

const networkTf = (pad: string): string =>
  lines(
    18,
    (i) => `resource "aws_subnet" "tier_${i}" {\n  vpc_id${pad}= aws_vpc.main.id\n  cidr_block = "10.0.${i}.0/24"\n}`,
  )

const platform: DriftRepository = {
  name: 'platform (Terraform, Compose, Actions)',
  commits: [
    {
      day: '2025-02-02',
      files: {
        'infra/versions.tf': `terraform {
  required_version = "~> 1.9"
  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = "~> 5.0"
    }
    datadog = {
      source  = "DataDog/datadog"
      version = "~> 3.40"
    }
  }
}
`,
        'infra/network.tf': networkTf(' '),
        'infra/queue.tf': 'resource "aws_sqs_queue" "orders" {\n  name = "orders"\n}\n',
        'infra/bastion.tf':
          'resource "aws_instance" "bastion" {\n  instance_type = "t4g.nano"\n  subnet_id     = aws_subnet.tier_0.id\n}\n',
        'infra/service.tf': 'resource "aws_ecs_service" "api" {\n  launch_type = "FARGATE"\n}\n',
        'infra/database.tf':
          'resource "aws_rds_cluster" "main" {\n  engine         = "aurora-postgresql"\n  engine_version = "16.4"\n}\n',
        'infra/monitors.tf': 'resource "datadog_monitor" "latency" {\n  name = "p99"\n  type = "metric alert"\n}\n',
        'compose.yaml': `services:
  db:
    image: postgres:16-alpine
  cache:
    image: redis:7
  mail:
    image: axllent/mailpit:v1.20
    ports: ["8025:8025"]
  files:
    image: minio/minio:latest
    command: server /data
`,
        '.github/workflows/ci.yml': `name: ci
on: [push]
jobs:
  plan:
    runs-on: ubuntu-24.04
    steps:
      - uses: actions/checkout@v4
      - uses: hashicorp/setup-terraform@v3
      - uses: terraform-linters/setup-tflint@v4
      - run: tflint --recursive
      - run: terraform plan
  image:
    runs-on: ubuntu-24.04
    steps:
      - uses: aquasecurity/trivy-action@0.28.0
        with:
          image-ref: api
`,
        'README.md': '# Platform\n\nRun `docker compose up`.\n',
      },
    },
    {
      day: '2025-09-15',
      renames: [['infra/network.tf', 'infra/modules/network/main.tf']],
      files: {
        'infra/versions.tf': `terraform {
  required_version = "~> 1.9.5"
  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = "~> 5.70"
    }
    grafana = {
      source  = "grafana/grafana"
      version = "~> 3.7"
    }
  }
}
`,
        'infra/modules/network/main.tf': networkTf('     '),
        'infra/bastion.tf': null,
        'infra/service.tf':
          '# Kubernetes would call this a deployment.\nresource "aws_ecs_service" "api" {\n  launch_type   = "FARGATE"\n  desired_count = 3\n}\n',
        'infra/database.tf':
          'resource "aws_rds_cluster" "main" {\n  engine         = "aurora-postgresql"\n  engine_version = "17.2"\n}\n',
        'infra/monitors.tf': null,
        'infra/alerts.tf': 'resource "grafana_rule_group" "latency" {\n  name = "p99"\n  interval_seconds = 60\n}\n',
        'compose.yaml': `services:
  db:
    image: postgres:17-alpine
  cache:
    image: redis:7.4-alpine
  mail:
    image: mailhog/mailhog:v1.0.1
    ports: ["8025:8025"]
  aws:
    image: localstack/localstack:3
  broker:
    image: apache/kafka:3.8.0
    ports: ["9092:9092"]
`,
        '.github/workflows/ci.yml': `name: ci
on: [push]
jobs:
  plan:
    runs-on: ubuntu-24.04
    steps:
      - uses: actions/checkout@v4
      - uses: hashicorp/setup-terraform@v3
      - run: terraform plan
  image:
    runs-on: ubuntu-24.04
    steps:
      - uses: snyk/actions/docker@master
        with:
          image: api
`,
        '.github/workflows/lint.yml': `name: lint
on: [push]
jobs:
  tflint:
    runs-on: ubuntu-24.04
    steps:
      - uses: actions/checkout@v4
      - uses: terraform-linters/setup-tflint@v4
      - run: tflint --recursive
`,
        'README.md':
          '# Platform\n\nRun `docker compose up`. We looked at Memcached for the cache once, and at Checkov for policies.\n',
      },
    },
  ],
  decisions: [
    {
      num: 1,
      date: '2025-03-01',
      title: 'ADR-001: Messages travel over SQS',
      rationale: 'At forty messages a second a broker is a pet we do not want.',
      rejected: [
        { name: 'Kafka', reason: 'Needs people who know Kafka.' },
        { name: 'RabbitMQ', reason: 'To be run by ourselves.' },
      ],
      wanted: 'rejected_back',
      why: 'a kafka broker in compose.yaml; the queue of SQS is still there',
    },
    {
      num: 2,
      date: '2025-03-01',
      title: 'ADR-002: PostgreSQL 16, the same everywhere',
      wanted: 'pin_broken',
      why: 'both the cluster and compose are at 17',
    },
    {
      num: 3,
      date: '2025-03-01',
      title: 'ADR-003: Mailpit catches local mail',
      rejected: [{ name: 'MailHog', reason: 'Unmaintained since 2020.' }],
      wanted: 'replaced',
      why: 'the image is mailhog',
    },
    {
      num: 4,
      date: '2025-03-01',
      title: 'ADR-004: One way in',
      rationale: 'People reach the private tier through the host in `infra/bastion.tf` and through nothing else.',
      wanted: 'named_file_gone',
      why: 'the file was deleted',
    },
    {
      num: 5,
      date: '2025-03-05',
      title: 'ADR-005: Trivy scans every image',
      rejected: [{ name: 'Snyk', reason: 'Priced by developer.' }],
      wanted: 'replaced',
      why: 'the job uses the action of snyk',
    },
    {
      num: 6,
      date: '2025-03-05',
      title: 'ADR-006: MinIO stands in for S3 on laptops',
      wanted: 'chosen_gone',
      why: 'localstack took its place',
    },
    {
      num: 7,
      date: '2025-03-05',
      title: 'ADR-007: Monitors are code, in Datadog',
      rejected: [{ name: 'Grafana Cloud', reason: 'No APM then.' }],
      wanted: 'replaced',
      why: 'the provider is grafana/grafana now and datadog is gone',
    },
    {
      num: 8,
      date: '2025-03-05',
      title: 'ADR-008: Terraform 1.9',
      rejected: [{ name: 'Pulumi', reason: 'Programs instead of plans.' }],
      wanted: 'quiet',
      why: '1.9.5 is 1.9',
    },
    {
      num: 9,
      date: '2025-03-05',
      title: 'ADR-009: Three tiers of subnets',
      files_affected: ['infra/network.tf'],
      wanted: 'quiet',
      why: 'moved into a module and aligned by terraform fmt',
    },
    {
      num: 10,
      date: '2025-03-05',
      title: 'ADR-010: ECS on Fargate, no Kubernetes yet',
      rejected: [
        { name: 'EKS', reason: 'A team of three.' },
        { name: 'Kubernetes', reason: 'See EKS.' },
      ],
      wanted: 'quiet',
      why: 'kubernetes in a comment',
    },
    {
      num: 11,
      date: '2025-03-05',
      title: 'ADR-011: PagerDuty wakes people up',
      rejected: [{ name: 'Opsgenie', reason: 'Is being shut down.' }],
      wanted: 'quiet',
      why: 'never was in the repository',
    },
    {
      num: 12,
      date: '2025-03-05',
      title: 'ADR-012: Redis is the cache, and only the cache',
      rejected: [{ name: 'Memcached', reason: 'No sets.' }],
      wanted: 'quiet',
      why: 'another tag of the same image; a sentence in the README',
    },
    {
      num: 13,
      date: '2025-03-05',
      title: 'ADR-013: tflint on every push',
      rejected: [{ name: 'Checkov', reason: 'Noise.' }],
      wanted: 'quiet',
      why: 'moved to another workflow; a sentence in the README',
    },
    {
      num: 14,
      date: '2025-03-05',
      title: 'ADR-014: AWS provider 5',
      wanted: 'quiet',
      why: '5.70 is 5',
    },
  ],
}

const planner = lines(
  22,
  (i) => `fun leg${i}(from: Stop, to: Stop): Minutes = from.distanceTo(to) * ${i} + Penalty${i}`,
)

const android: DriftRepository = {
  name: 'courier (Android, version catalog)',
  commits: [
    {
      day: '2025-01-08',
      files: {
        'gradle/libs.versions.toml': `[versions]
agp = "8.7.0"
kotlin = "2.0.21"
hilt = "2.52"
room = "2.6.1"
coil = "2.7.0"
retrofit = "2.11.0"
mockk = "1.13.12"

[libraries]
hilt-android = { module = "com.google.dagger:hilt-android", version.ref = "hilt" }
room-runtime = { module = "androidx.room:room-runtime", version.ref = "room" }
coil-compose = { module = "io.coil-kt:coil-compose", version.ref = "coil" }
retrofit = { module = "com.squareup.retrofit2:retrofit", version.ref = "retrofit" }
rxjava = { module = "io.reactivex.rxjava3:rxjava", version = "3.1.9" }
mockk = { module = "io.mockk:mockk", version.ref = "mockk" }
compose-material3 = { module = "androidx.compose.material3:material3", version = "1.3.0" }

[plugins]
android-application = { id = "com.android.application", version.ref = "agp" }
`,
        'settings.gradle.kts': 'include(":app", ":core")\n',
        'app/build.gradle.kts': `plugins { alias(libs.plugins.android.application) }
kotlin { jvmToolchain(17) }
android {
    defaultConfig {
        minSdk = 26
        targetSdk = 34
    }
}
dependencies {
    implementation(libs.hilt.android)
    implementation(libs.room.runtime)
    implementation(libs.coil.compose)
    implementation(libs.retrofit)
    implementation(libs.rxjava)
    implementation(libs.compose.material3)
    testImplementation(libs.mockk)
}
`,
        'app/src/main/java/courier/CourierApp.kt':
          'package courier\n\nimport dagger.hilt.android.HiltAndroidApp\n\n@HiltAndroidApp\nclass CourierApp\n',
        'app/src/main/java/courier/data/ParcelDb.kt':
          'package courier.data\n\nimport androidx.room.Database\n\n@Database(entities = [], version = 1)\nabstract class ParcelDb\n',
        'app/src/main/java/courier/ui/Photo.kt':
          'package courier.ui\n\nimport coil.compose.AsyncImage\n\nfun photo() = AsyncImage("", null)\n',
        'app/src/main/java/courier/net/Api.kt':
          'package courier.net\n\nimport retrofit2.http.GET\n\ninterface Api { @GET("parcels") suspend fun parcels(): List<String> }\n',
        'app/src/main/java/courier/net/Feed.kt':
          'package courier.net\n\nimport io.reactivex.rxjava3.core.Observable\n\nval feed: Observable<String> = Observable.empty()\n',
        'app/src/main/java/courier/route/Planner.kt': `package courier.route\n\n${planner}`,
        'app/src/main/java/courier/scan/LegacyScanner.kt': lines(
          12,
          (i) => `fun decode${i}(frame: ByteArray) = frame[${i}]`,
        ),
        'app/src/main/java/courier/scan/ScanScreen.kt': 'package courier.scan\n\nfun scanScreen() = Unit\n',
      },
    },
    {
      day: '2025-04-14',
      files: {
        'gradle/libs.versions.toml': `[versions]
agp = "8.7.0"
kotlin = "2.0.21"
hilt = "2.52"
room = "2.6.1"
coil = "2.7.0"
retrofit = "2.11.0"
mockk = "1.13.12"

[libraries]
hilt-android = { module = "com.google.dagger:hilt-android", version.ref = "hilt" }
room-runtime = { module = "androidx.room:room-runtime", version.ref = "room" }
coil-compose = { module = "io.coil-kt:coil-compose", version.ref = "coil" }
retrofit = { module = "com.squareup.retrofit2:retrofit", version.ref = "retrofit" }
mockk = { module = "io.mockk:mockk", version.ref = "mockk" }
compose-material3 = { module = "androidx.compose.material3:material3", version = "1.3.0" }

[plugins]
android-application = { id = "com.android.application", version.ref = "agp" }
`,
        'app/build.gradle.kts': `plugins { alias(libs.plugins.android.application) }
kotlin { jvmToolchain(17) }
android {
    defaultConfig {
        minSdk = 26
        targetSdk = 34
    }
}
dependencies {
    implementation(libs.hilt.android)
    implementation(libs.room.runtime)
    implementation(libs.coil.compose)
    implementation(libs.retrofit)
    implementation(libs.compose.material3)
    testImplementation(libs.mockk)
}
`,
        'app/src/main/java/courier/net/Feed.kt':
          'package courier.net\n\nimport kotlinx.coroutines.flow.emptyFlow\n\nval feed = emptyFlow<String>()\n',
      },
    },
    {
      day: '2025-11-03',
      files: {
        'gradle/libs.versions.toml': `[versions]
agp = "8.9.0"
kotlin = "2.1.20"
koin = "4.0.2"
sqldelight = "2.0.2"
coil = "2.7.0"
glide = "4.16.0"
retrofit = "2.12.0"
mockk = "1.14.0"

[libraries]
koin-android = { module = "io.insert-koin:koin-android", version.ref = "koin" }
sqldelight-android = { module = "app.cash.sqldelight:android-driver", version.ref = "sqldelight" }
coil-compose = { module = "io.coil-kt:coil-compose", version.ref = "coil" }
glide = { module = "com.github.bumptech.glide:glide", version.ref = "glide" }
# Ktor client if the backend ever moves to Kotlin.
retrofit = { module = "com.squareup.retrofit2:retrofit", version.ref = "retrofit" }
rxjava = { module = "io.reactivex.rxjava3:rxjava", version = "3.1.10" }
mockk = { module = "io.mockk:mockk", version.ref = "mockk" }
compose-material3 = { module = "androidx.compose.material3:material3", version = "1.3.1" }

[plugins]
android-application = { id = "com.android.application", version.ref = "agp" }
`,
        'settings.gradle.kts': 'include(":app", ":core", ":core:testing")\n',
        'app/build.gradle.kts': `plugins { alias(libs.plugins.android.application) }
kotlin { jvmToolchain(21) }
android {
    defaultConfig {
        minSdk = 24
        targetSdk = 35
    }
}
dependencies {
    implementation(libs.koin.android)
    implementation(libs.sqldelight.android)
    implementation(libs.coil.compose)
    implementation(libs.glide)
    implementation(libs.retrofit)
    implementation(libs.rxjava)
    implementation(libs.compose.material3)
    testImplementation(project(":core:testing"))
}
`,
        'core/testing/build.gradle.kts': 'dependencies {\n    api(libs.mockk)\n}\n',
        'app/src/main/java/courier/CourierApp.kt':
          'package courier\n\nimport org.koin.core.context.startKoin\n\nclass CourierApp { init { startKoin { } } }\n',
        'app/src/main/java/courier/data/ParcelDb.kt':
          'package courier.data\n\nimport app.cash.sqldelight.driver.android.AndroidSqliteDriver\n\nval driver = AndroidSqliteDriver::class\n',
        'app/src/main/java/courier/ui/Signature.kt':
          'package courier.ui\n\nimport com.bumptech.glide.Glide\n\nfun signature() = Glide::class\n',
        'app/src/main/java/courier/net/Tracking.kt':
          'package courier.net\n\nimport io.reactivex.rxjava3.core.Flowable\n\nval tracking: Flowable<String> = Flowable.empty()\n',
        'app/src/main/java/courier/route/Planner.kt': `package courier.route\n\n${planner}${lines(
          30,
          (i) => `fun detour${i}(at: Stop): Boolean = at.isClosed && at.rank > ${i}`,
        )}`,
        'app/src/main/java/courier/scan/LegacyScanner.kt': null,
        'app/src/main/java/courier/scan/ScanScreen.kt':
          'package courier.scan\n\nimport com.google.mlkit.vision.barcode.BarcodeScanning\n\nfun scanScreen() = BarcodeScanning.getClient()\n',
        'app/src/main/res/xml/backup_rules.xml': '<full-backup-content />\n',
        'app/src/test/java/courier/route/PlannerTest.kt': lines(20, (i) => `fun plans${i}() = check(leg${i} > ${i})`),
      },
    },
  ],
  decisions: [
    {
      num: 1,
      date: '2025-02-01',
      title: 'DI with Hilt',
      rejected: [{ name: 'Koin', reason: 'Missing bindings show at run time, on the phone of a courier.' }],
      wanted: 'replaced',
      why: 'koin in, hilt out',
    },
    {
      num: 2,
      date: '2025-02-01',
      title: 'Coil loads images',
      rejected: [
        { name: 'Glide', reason: 'Annotation processor, Java first.' },
        { name: 'Picasso', reason: 'Asleep.' },
      ],
      wanted: 'rejected_back',
      why: 'glide for signatures, beside coil',
    },
    {
      num: 3,
      date: '2025-02-01',
      title: 'minSdk 26',
      rationale: 'java.time without desugaring, and the depot phones are all on 10 or newer.',
      wanted: 'pin_broken',
      why: 'minSdk = 24',
    },
    {
      num: 4,
      date: '2025-02-01',
      title: 'Parcels are kept offline in Room',
      wanted: 'chosen_gone',
      why: 'SQLDelight took its place, of which the decision says nothing',
    },
    {
      num: 5,
      date: '2025-02-01',
      title: 'Build with JDK 17',
      wanted: 'pin_broken',
      why: 'jvmToolchain(21)',
    },
    {
      num: 6,
      date: '2025-02-10',
      title: 'Coroutines only, RxJava has to go',
      supersedes: '13',
      rationale: 'Two ways to be asynchronous is one too many. Feed.kt is the last user.',
      rejected: [{ name: 'RxJava', reason: 'Nobody here reads it fluently any more.' }],
      wanted: 'rejected_back',
      why: 'it left in April and is back in November',
    },
    {
      num: 7,
      date: '2025-02-10',
      title: 'Our own barcode decoder stays for the old scanners',
      files_affected: ['app/src/main/java/courier/scan/LegacyScanner.kt'],
      wanted: 'files_gone',
      why: 'deleted',
    },
    {
      num: 8,
      date: '2025-02-10',
      title: 'REST through Retrofit',
      rejected: [{ name: 'Ktor', reason: 'We do not need multiplatform.' }],
      wanted: 'quiet',
      why: 'a newer version; ktor is in a comment',
    },
    {
      num: 9,
      date: '2025-02-10',
      title: 'Screens are written in Compose',
      rejected: [{ name: 'XML layouts', reason: 'Two worlds of state.' }],
      wanted: 'quiet',
      why: 'backup_rules.xml is no layout',
    },
    {
      num: 10,
      date: '2025-02-10',
      title: 'Routes are planned on the device',
      files_affected: ['app/src/main/java/courier/route/Planner.kt'],
      rejected: [{ name: 'Google Routes API', reason: 'Dead spots along the coast.' }],
      wanted: 'quiet',
      why: 'the file grew and got tests',
    },
    {
      num: 11,
      date: '2025-02-10',
      title: 'Delivery windows are a quarter of an hour',
      rejected: [{ name: 'Half an hour', reason: 'Customers leave the house.' }],
      wanted: 'quiet',
      why: 'nothing of it is in the repository',
    },
    {
      num: 12,
      date: '2025-02-10',
      title: 'MockK where a fake will not do',
      rejected: [{ name: 'Mockito', reason: 'Final classes.' }],
      wanted: 'quiet',
      why: 'moved to core/testing',
    },
    {
      num: 13,
      date: '2025-01-20',
      title: 'LiveData carries the state of screens',
      status: 'superseded',
      superseded_by: '6',
      rejected: [{ name: 'Flow', reason: 'Was experimental.' }],
      wanted: 'quiet',
      why: 'superseded',
    },
  ],
}

const camera = (join: string): string =>
  lines(20, (i) => `double axis${i}(const Pose& p)${join}{ return p.x * ${i}.0 + p.y / ${i + 1}.0; }`)

const cpp: DriftRepository = {
  name: 'renderer (CMake, vcpkg)',
  commits: [
    {
      day: '2025-02-20',
      files: {
        'vcpkg.json': json({
          name: 'renderer',
          'builtin-baseline': 'a1b2c3',
          dependencies: ['fmt', 'spdlog', 'glm', 'nlohmann-json', 'catch2'],
        }),
        'CMakeLists.txt': `cmake_minimum_required(VERSION 3.28)
project(renderer LANGUAGES CXX)
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
find_package(fmt CONFIG REQUIRED)
find_package(spdlog CONFIG REQUIRED)
find_package(glm CONFIG REQUIRED)
find_package(nlohmann_json CONFIG REQUIRED)
find_package(Catch2 3 CONFIG REQUIRED)
add_executable(renderer src/main.cpp src/camera.cpp src/scene.cpp src/shader/reflect.cpp)
add_executable(tests tests/scene_test.cpp)
target_link_libraries(tests PRIVATE Catch2::Catch2WithMain)
`,
        '.clang-format': 'BasedOnStyle: LLVM\nColumnLimit: 100\n',
        'src/main.cpp': '#include <spdlog/spdlog.h>\n\nint main() { spdlog::info("up"); }\n',
        'src/camera.cpp': `#include <glm/glm.hpp>\n${camera(' ')}`,
        'src/scene.cpp': '#include <nlohmann/json.hpp>\n\nnlohmann::json load();\n',
        'src/shader/reflect.cpp': lines(16, (i) => `int slot${i}(const Spirv& s) { return s.word(${i * 3 + 1}); }`),
        'tests/scene_test.cpp': '#include <catch2/catch_test_macros.hpp>\n\nTEST_CASE("loads") { REQUIRE(true); }\n',
        'docs/building.md': '# Building\n\n`cmake --preset release`\n',
      },
    },
    {
      day: '2025-10-10',
      renames: [['src/camera.cpp', 'src/view/camera.cpp']],
      files: {
        'vcpkg.json': json({
          name: 'renderer',
          'builtin-baseline': 'd4e5f6',
          dependencies: ['fmt', 'spdlog', 'glm', 'simdjson', 'gtest', { name: 'boost-asio', platform: '!windows' }],
        }),
        'CMakeLists.txt': `cmake_minimum_required(VERSION 3.28)
project(renderer LANGUAGES CXX)
set(CMAKE_CXX_STANDARD 23)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
find_package(fmt CONFIG REQUIRED)
find_package(spdlog CONFIG REQUIRED)
find_package(simdjson CONFIG REQUIRED)
find_package(Boost REQUIRED COMPONENTS system)
find_package(GTest CONFIG REQUIRED)
add_subdirectory(src)
add_executable(tests tests/scene_test.cpp)
target_link_libraries(tests PRIVATE GTest::gtest_main)
`,
        'src/CMakeLists.txt': `# Eigen would need -O2 even in debug builds.
find_package(glm CONFIG REQUIRED)
add_executable(renderer main.cpp view/camera.cpp scene.cpp remote.cpp)
`,
        'src/main.cpp': '#include <spdlog/spdlog.h>\n\nint main()\n{\n    spdlog::info("up");\n}\n',
        'src/view/camera.cpp': `#include <glm/glm.hpp>\n${camera('\n')}`,
        'src/scene.cpp': '#include <simdjson.h>\n\nsimdjson::dom::element load();\n',
        'src/remote.cpp': '#include <boost/asio.hpp>\n\nboost::asio::io_context io;\n',
        'src/shader/reflect.cpp': null,
        '.clang-format': 'BasedOnStyle: LLVM\nColumnLimit: 100\nBreakBeforeBraces: Allman\n',
        'tests/scene_test.cpp': '#include <gtest/gtest.h>\n\nTEST(Scene, Loads) { EXPECT_TRUE(true); }\n',
        'docs/building.md':
          '# Building\n\n`cmake --preset release`. Those who come from Conan: there is no profile, only a preset. glog is not needed.\n',
      },
    },
  ],
  decisions: [
    {
      num: 1,
      date: '2025-03-01',
      title: 'Tests are written with Catch2',
      rejected: [{ name: 'GoogleTest', reason: 'Fixtures as classes; assertions that do not read.' }],
      wanted: 'replaced',
      why: 'gtest in, catch2 out',
    },
    {
      num: 2,
      date: '2025-03-01',
      title: 'The language level is C++20',
      rationale: 'The oldest compiler of a customer is GCC 11.',
      wanted: 'pin_broken',
      why: 'CMAKE_CXX_STANDARD 23',
    },
    {
      num: 3,
      date: '2025-03-01',
      title: 'Keep Boost out',
      rationale: 'Twenty minutes of build for one header.',
      rejected: [{ name: 'Boost', reason: 'Build times.' }],
      wanted: 'rejected_back',
      why: 'boost-asio in vcpkg.json and included',
    },
    {
      num: 4,
      date: '2025-03-01',
      title: 'Scenes are read with nlohmann/json',
      wanted: 'chosen_gone',
      why: 'simdjson took its place',
    },
    {
      num: 5,
      date: '2025-03-01',
      title: 'Shader reflection by hand, not SPIRV-Cross',
      files_affected: ['src/shader/reflect.cpp'],
      rejected: [{ name: 'SPIRV-Cross', reason: 'We need six words of the binary.' }],
      wanted: 'files_gone',
      why: 'deleted, and nothing came in its place',
    },
    {
      num: 6,
      date: '2025-03-01',
      title: 'spdlog',
      rejected: [{ name: 'glog', reason: 'Global state, flags of its own.' }],
      wanted: 'quiet',
      why: 'still there; glog in a document',
    },
    {
      num: 7,
      date: '2025-03-01',
      title: 'Dependencies by vcpkg in manifest mode',
      rejected: [{ name: 'Conan', reason: 'Python on every build machine.' }],
      wanted: 'quiet',
      why: 'conan in a document, another baseline',
    },
    {
      num: 8,
      date: '2025-03-01',
      title: 'clang-format has the last word on style',
      files_affected: ['.clang-format'],
      wanted: 'quiet',
      why: 'one more line in its config',
    },
    {
      num: 9,
      date: '2025-03-01',
      title: 'The camera computes in doubles',
      files_affected: ['src/camera.cpp'],
      rejected: [{ name: 'float', reason: 'Jitters at ten kilometres.' }],
      wanted: 'quiet',
      why: 'moved and reformatted',
    },
    {
      num: 10,
      date: '2025-03-01',
      title: 'GLM for vectors and matrices',
      rejected: [{ name: 'Eigen', reason: 'Expression templates in debug builds.' }],
      wanted: 'quiet',
      why: 'found from another CMakeLists.txt; Eigen in a comment',
    },
  ],
}

const ledgerScala = (open: string): string =>
  lines(15, (i) => `def post${i}(entry: Entry): IO[Unit] =${open}journal.append(entry.copy(line = ${i}))`)

const scala: DriftRepository = {
  name: 'ledger events (sbt)',
  commits: [
    {
      day: '2025-01-20',
      files: {
        'build.sbt': `ThisBuild / scalaVersion := "3.3.4"

lazy val root = (project in file("."))
  .settings(
    name := "ledger-events",
    libraryDependencies ++= Seq(
      "org.http4s" %% "http4s-ember-server" % "0.23.27",
      "io.circe" %% "circe-core" % "0.14.9",
      "io.circe" %% "circe-generic" % "0.14.9",
      "org.tpolecat" %% "doobie-core" % "1.0.0-RC5",
      "org.typelevel" %% "cats-effect" % "3.5.4",
      "org.scalameta" %% "munit" % "1.0.0" % Test
    )
  )
`,
        'project/build.properties': 'sbt.version=1.10.1\n',
        'project/plugins.sbt': 'addSbtPlugin("org.scalameta" % "sbt-scalafmt" % "2.5.2")\n',
        '.scalafmt.conf': 'version = 3.8.3\nmaxColumn = 100\n',
        'src/main/scala/ledger/Server.scala':
          'package ledger\n\nimport org.http4s.ember.server.EmberServerBuilder\nimport cats.effect.IO\n\nval server = EmberServerBuilder.default[IO]\n',
        'src/main/scala/ledger/Codec.scala':
          'package ledger\n\nimport io.circe.Codec\n\ncase class Entry(line: Int) derives Codec.AsObject\n',
        'src/main/scala/ledger/Store.scala': 'package ledger\n\nimport doobie.implicits._\n\nval all = sql"select 1"\n',
        'src/main/scala/ledger/Ledger.scala': `package ledger\n\n${ledgerScala(' ')}`,
        'src/test/scala/ledger/LedgerTest.scala':
          'package ledger\n\nclass LedgerTest extends munit.FunSuite { test("posts") { assert(true) } }\n',
      },
    },
    {
      day: '2025-12-01',
      files: {
        'build.sbt': `import Dependencies._

ThisBuild / scalaVersion := "3.6.2"

lazy val root = (project in file("."))
  .settings(
    name := "ledger-events",
    libraryDependencies ++= Seq(
      "org.http4s" %% "http4s-ember-server" % "0.23.30",
      "com.typesafe.akka" %% "akka-http" % "10.6.3",
      "org.playframework" %% "play-json" % "3.0.4",
      "org.typelevel" %% "cats-effect" % "3.5.7",
      "org.typelevel" %% "weaver-cats" % "0.8.4" % Test
    ) ++ storage
  )
`,
        'project/Dependencies.scala': `import sbt._

object Dependencies {
  // Slick was tried on a branch in 2023.
  val storage = Seq(
    "org.tpolecat" %% "doobie-core" % "1.0.0-RC6"
  )
}
`,
        '.scalafmt.conf': 'version = 3.8.3\nmaxColumn = 80\n',
        'src/main/scala/ledger/Codec.scala':
          'package ledger\n\nimport play.api.libs.json.{Json, OFormat}\n\ncase class Entry(line: Int)\nobject Entry { given OFormat[Entry] = Json.format[Entry] }\n',
        'src/main/scala/ledger/Gateway.scala':
          'package ledger\n\nimport akka.http.scaladsl.Http\n\nval gateway = Http\n',
        'src/main/scala/ledger/Ledger.scala': `package ledger\n\n// Not ZIO: see the decision on runtimes.\n${ledgerScala('\n  ')}`,
        'src/test/scala/ledger/LedgerTest.scala':
          'package ledger\n\nimport weaver.SimpleIOSuite\n\nobject LedgerTest extends SimpleIOSuite { pureTest("posts")(expect(true)) }\n',
      },
    },
  ],
  decisions: [
    {
      num: 1,
      date: '2025-02-02',
      title: 'JSON: circe',
      rejected: [{ name: 'play-json', reason: 'Brings a piece of Play.' }],
      wanted: 'replaced',
      why: 'play-json in, circe out',
    },
    {
      num: 2,
      date: '2025-02-02',
      title: 'HTTP is served by http4s',
      rejected: [{ name: 'Akka HTTP', reason: 'The licence changed.' }],
      wanted: 'rejected_back',
      why: 'akka-http is a dependency and imported',
    },
    {
      num: 3,
      date: '2025-02-02',
      title: 'munit for tests',
      wanted: 'chosen_gone',
      why: 'weaver took its place',
    },
    {
      num: 4,
      date: '2025-02-02',
      title: 'Scala 3.3 (LTS), nothing newer',
      wanted: 'pin_broken',
      why: 'scalaVersion is 3.6.2',
    },
    {
      num: 5,
      date: '2025-02-02',
      title: 'SQL by hand, through doobie',
      rejected: [{ name: 'Slick', reason: 'We think in SQL.' }],
      wanted: 'quiet',
      why: 'moved to project/Dependencies.scala; Slick in a comment',
    },
    {
      num: 6,
      date: '2025-02-02',
      title: 'Postings are append-only',
      files_affected: ['src/main/scala/ledger/Ledger.scala'],
      rejected: [{ name: 'Update in place', reason: 'Auditors.' }],
      wanted: 'quiet',
      why: 'reformatted',
    },
    {
      num: 7,
      date: '2025-02-02',
      title: 'Cats Effect is the one runtime',
      rejected: [{ name: 'ZIO', reason: 'Half of the team knows cats.' }],
      wanted: 'quiet',
      why: 'ZIO in a comment',
    },
    {
      num: 8,
      date: '2025-02-02',
      title: 'sbt 1.10 builds it',
      rejected: [{ name: 'Mill', reason: 'No plugin for our registry.' }],
      wanted: 'quiet',
      why: 'nothing changed',
    },
  ],
}

const feedItems = lines(20, (i) => `  item(${i}, { title: entries[${i}].title, link: entries[${i}].href }),`)
const slugs = lines(12, (i) => `export const slug${i} = (text: string) => text.replaceAll('${i}', '-').slice(${i})`)

const site: DriftRepository = {
  name: 'handbook (Bun, Astro, Workers)',
  commits: [
    {
      day: '2025-04-01',
      files: {
        'package.json': json({
          name: 'handbook',
          packageManager: 'bun@1.1.34',
          scripts: { dev: 'bunx astro dev', deploy: 'wrangler pages deploy dist', lint: 'biome check .' },
          dependencies: { astro: '^5.1.0', '@astrojs/mdx': '^4.0.0', pagefind: '^1.2.0' },
          devDependencies: { '@biomejs/biome': '^1.9.0', wrangler: '^3.90.0' },
        }),
        'bun.lock': '{ "lockfileVersion": 1 }\n',
        'biome.json': json({ formatter: { indentStyle: 'space' } }),
        'wrangler.toml': 'name = "handbook"\npages_build_output_dir = "dist"\n',
        'astro.config.mjs':
          "import { defineConfig } from 'astro/config'\nimport mdx from '@astrojs/mdx'\nexport default defineConfig({ integrations: [mdx()] })\n",
        'src/content/guides/start.mdx': lines(10, (i) => `Step ${i}: open drawer ${i * 3}.`),
        'src/content/guides/leave.mdx': lines(10, (i) => `Rule ${i}: ask desk ${i * 5}.`),
        'src/pages/rss.xml.ts': `export const feed = [\n${feedItems}]\n`,
        'src/lib/text.ts': `${slugs}export const now = () => Date.now()\n`,
        'src/styles/global.css': lines(14, (i) => `.box-${i} { margin: ${i}px; }`),
      },
    },
    {
      day: '2025-11-11',
      files: {
        'package.json': json({
          name: 'handbook',
          packageManager: 'pnpm@9.15.0',
          scripts: { dev: 'astro dev', deploy: 'vercel deploy --prod', lint: 'eslint . && prettier --check .' },
          dependencies: { astro: '^5.4.0', '@astrojs/preact': '^4.0.0', preact: '^10.25.0', pagefind: '^1.3.0' },
          devDependencies: {
            eslint: '^9.17.0',
            prettier: '^3.4.0',
            vercel: '^39.0.0',
            tailwindcss: '^4.0.0',
            '@tailwindcss/vite': '^4.0.0',
          },
        }),
        'bun.lock': null,
        'pnpm-lock.yaml': "lockfileVersion: '9.0'\npackages:\n  '@algolia/client-search@5.0.0':\n    resolution: {}\n",
        'biome.json': null,
        'eslint.config.js': 'export default []\n',
        '.prettierrc': '{ "semi": false }\n',
        'wrangler.toml': null,
        'vercel.json': json({ framework: 'astro' }),
        'astro.config.mjs':
          "import { defineConfig } from 'astro/config'\nimport tailwindcss from '@tailwindcss/vite'\nexport default defineConfig({ vite: { plugins: [tailwindcss()] } })\n",
        'src/content/guides/start.mdx': null,
        'src/content/guides/leave.mdx': null,
        'src/islands/salary.tsx':
          "import { useState } from 'preact/hooks'\nexport const Salary = () => useState(0)[0]\n",
        'src/lib/notion.ts': "export const pages = () => fetch('https://api.notion.com/v1/search')\n",
        'src/pages/rss.xml.ts': `export const feed = [\n${feedItems.replace('item(3,', 'item(303,').replace('item(7,', 'item(307,')}]\n`,
        'src/lib/text.ts': 'export const now = () => Date.now()\n',
        'src/lib/slugs.ts': slugs,
        'src/styles/global.css': `@import 'tailwindcss';\n${lines(14, (i) => `.box-${i} { margin: ${i}px; }`)}`,
      },
    },
  ],
  decisions: [
    {
      num: 1,
      date: '2025-05-01',
      title: 'Biome does both linting and formatting',
      rejected: [
        { name: 'ESLint', reason: 'Forty packages of config.' },
        { name: 'Prettier', reason: 'Fights with the linter.' },
      ],
      wanted: 'replaced',
      why: 'both are in, biome is out',
    },
    {
      num: 2,
      date: '2025-05-01',
      title: 'Host on Cloudflare Pages',
      rejected: [
        { name: 'Vercel', reason: 'Priced by seat.' },
        { name: 'Netlify', reason: 'Slow builds.' },
      ],
      wanted: 'replaced',
      why: 'vercel.json and its deploy script in, wrangler.toml and wrangler out',
    },
    {
      num: 3,
      date: '2025-05-01',
      title: 'Use Bun for packages and scripts',
      rejected: [{ name: 'pnpm', reason: 'A second tool beside the runtime.' }],
      wanted: 'replaced',
      why: 'packageManager and lock file are of pnpm',
    },
    {
      num: 4,
      date: '2025-05-01',
      title: 'The text lives with the code',
      rationale: 'A guide is changed in the pull request that makes it wrong.',
      files_affected: ['src/content/**/*.mdx'],
      rejected: [{ name: 'Notion', reason: 'Nobody reviews it.' }],
      wanted: 'files_gone',
      why: 'the guides were deleted; pages are fetched from Notion',
    },
    {
      num: 5,
      date: '2025-05-01',
      title: 'Plain CSS',
      rejected: [{ name: 'Tailwind', reason: 'One stylesheet of two hundred lines.' }],
      wanted: 'rejected_back',
      why: 'tailwindcss is a dependency and imported by the stylesheet',
    },
    {
      num: 6,
      date: '2025-05-01',
      title: 'Search is Pagefind, built with the site',
      rejected: [{ name: 'Algolia', reason: 'A crawler for sixty pages.' }],
      wanted: 'quiet',
      why: 'algolia in the lock file only',
    },
    {
      num: 7,
      date: '2025-05-01',
      title: 'The feed is put together by hand',
      files_affected: ['src/pages/rss.xml.ts'],
      rejected: [{ name: '@astrojs/rss', reason: 'Cannot do our enclosures.' }],
      wanted: 'quiet',
      why: 'two lines changed',
    },
    {
      num: 8,
      date: '2025-05-01',
      title: 'Slugs never change once published',
      files_affected: ['src/lib/text.ts'],
      wanted: 'quiet',
      why: 'the functions moved to src/lib/slugs.ts as they were',
    },
    {
      num: 9,
      date: '2025-05-01',
      title: 'Astro 5',
      rejected: [{ name: 'Docusaurus', reason: 'React for pages that stand still.' }],
      wanted: 'quiet',
      why: '5.4 is 5',
    },
    {
      num: 10,
      date: '2025-05-01',
      title: 'Reading figures come from Plausible',
      rejected: [{ name: 'Google Analytics', reason: 'A banner for cookies.' }],
      wanted: 'quiet',
      why: 'set up at the edge, never in the repository',
    },
    {
      num: 11,
      date: '2025-05-01',
      title: 'Pages ship no framework to the browser',
      rejected: [
        { name: 'React', reason: 'Forty kilobytes for a menu.' },
        { name: 'Preact', reason: 'Nothing on these pages has state.' },
      ],
      wanted: 'quiet',
      why: 'a later decision that is in force chose Preact',
    },
    {
      num: 12,
      date: '2025-10-20',
      title: 'The salary table is a Preact island',
      rejected: [{ name: 'Svelte', reason: 'A compiler for one island.' }],
      wanted: 'quiet',
      why: 'that is how it was built',
    },
  ],
}

/** Cases written by a person who had not read how drift is detected, and committed before the first run on them. */
export const THIRD: readonly DriftRepository[] = [uv, pnpm, platform, android, cpp, scala, site]
