import { type DriftRepository, json, statements } from './repository.ts'

const START = '2026-01-05'
const DECIDED = '2026-01-10'
const LATER = '2026-03-01'

const web: DriftRepository = {
  name: 'web shop (npm)',
  commits: [
    {
      day: START,
      files: {
        'package.json': json({
          name: 'shop',
          engines: { node: '>=22' },
          dependencies: {
            fastify: '^4.0.0',
            postgres: '^3.4.0',
            zod: '^3.0.0',
            pino: '^8.0.0',
            'date-fns': '^3.0.0',
            react: '^18.2.0',
          },
          devDependencies: { vitest: '^1.0.0', typescript: '^5.0.0' },
        }),
        '.nvmrc': '22\n',
        'src/server.ts': `import fastify from 'fastify'\nimport postgres from 'postgres'\n${statements('server', 20)}`,
        'src/queue/worker.ts': statements('worker', 40),
        'src/queue/claim.ts': statements('claim', 30),
        'src/money.ts': statements('money', 30),
        'src/auth/session.ts': statements('session', 30),
        'src/report.ts': statements('report', 30),
        'src/legacy/mailer.ts': statements('mailer', 20),
        'src/theme.ts': statements('theme', 24),
        'config/limits.yaml': 'requests: 100\nburst: 20\nwindow: 60\n',
        'openapi/shop.yaml': 'openapi: 3.1.0\ninfo: { title: Shop }\n',
        'test/money.test.ts': statements('moneytest', 10),
      },
    },
    {
      day: LATER,
      renames: [['src/auth/session.ts', 'src/identity/session.ts']],
      files: {
        'package.json': json({
          name: 'shop',
          engines: { node: '>=20' },
          dependencies: {
            fastify: '^4.0.0',
            postgres: '^3.4.0',
            ioredis: '^5.4.0',
            winston: '^3.0.0',
            moment: '^2.30.0',
            react: '^18.3.1',
          },
          devDependencies: { vitest: '^1.0.0', typescript: '^5.0.0' },
        }),
        '.nvmrc': '20\n',
        'src/server.ts': `import fastify from 'fastify'\nimport postgres from 'postgres'\nimport axios from 'axios'\n${statements('server', 20)}`,
        'src/queue/worker.ts': statements('rewritten', 44),
        'src/queue/claim.ts': statements('other', 30),
        'src/money.ts': `// Amounts are kept in minor units.\n${statements('money', 30).replaceAll('"', "'").replaceAll(')\n', ');\n\n')}`,
        'src/report.ts': null,
        'src/legacy/mailer.ts': null,
        'src/theme.ts': statements('theme', 24)
          .replaceAll('compute("theme", ', 'compute(\n  "theme",\n  ')
          .replaceAll(')\n', ',\n)\n'),
        'config/limits.yaml': null,
        'test/money.test.ts': statements('moneytest', 60),
        'docs/why.md': 'We looked at GraphQL and MongoDB again. Still no.\n',
        'src/notes.ts':
          '// once we tried mongoose here\n/*\nimport mongoose from "mongoose"\n*/\nexport const notes = []\n',
      },
    },
  ],
  decisions: [
    {
      num: 2,
      date: DECIDED,
      title: 'Jobs run in a Postgres queue',
      rejected: [{ name: 'Redis', reason: 'One more service to run.' }],
      files_affected: ['src/server.ts'],
      wanted: 'rejected_back',
      why: 'ioredis is a dependency',
    },
    {
      num: 3,
      date: DECIDED,
      title: 'Log with Pino',
      rejected: [{ name: 'Winston', reason: 'Slower.' }],
      wanted: 'replaced',
      why: 'pino left, winston came',
    },
    {
      num: 4,
      date: DECIDED,
      title: 'Use date-fns for dates',
      rejected: [{ name: 'Luxon', reason: 'Larger.' }],
      wanted: 'chosen_gone',
      why: 'date-fns left',
    },
    {
      num: 5,
      date: DECIDED,
      title: 'Call other services with fetch',
      rejected: [{ name: 'axios', reason: 'Not needed since Node 18.' }],
      wanted: 'rejected_back',
      why: 'axios is imported, in no manifest',
    },
    { num: 6, date: DECIDED, title: 'We run on Node 22', wanted: 'pin_broken', why: 'engines and .nvmrc say 20' },
    {
      num: 7,
      date: DECIDED,
      title: 'The queue claims rows with SKIP LOCKED',
      files_affected: ['src/queue/'],
      wanted: 'changed_much',
      why: 'both files rewritten',
    },
    {
      num: 8,
      date: DECIDED,
      title: 'Reports are rendered on the server',
      files_affected: ['src/report.ts'],
      wanted: 'files_gone',
      why: 'deleted',
    },
    {
      num: 9,
      date: DECIDED,
      title: 'Mail goes out through one module',
      files_affected: ['src/legacy/**/*.ts'],
      wanted: 'files_gone',
      why: 'the glob matches nothing',
    },
    {
      num: 10,
      date: DECIDED,
      title: 'Limits are configuration',
      rationale: 'Rates live in `config/limits.yaml`, so that operators can change them.',
      wanted: 'named_file_gone',
      why: 'the file is deleted',
    },
    {
      num: 11,
      date: DECIDED,
      title: 'Validate input at the edge',
      rationale: 'We use zod for every handler: one schema for types and checks.',
      wanted: 'chosen_gone',
      why: 'zod left',
    },
    {
      num: 12,
      date: DECIDED,
      title: 'Money is kept in integer minor units',
      files_affected: ['src/money.ts'],
      wanted: 'quiet',
      why: 'reformatted, a comment added',
    },
    {
      num: 13,
      date: DECIDED,
      title: 'Sessions are opaque tokens',
      files_affected: ['src/auth/session.ts'],
      wanted: 'quiet',
      why: 'renamed',
    },
    {
      num: 14,
      date: DECIDED,
      title: 'Events stay in Postgres',
      rejected: [{ name: 'MongoDB', reason: 'No joins.' }],
      wanted: 'quiet',
      why: 'named in a comment and in docs',
    },
    {
      num: 15,
      date: DECIDED,
      title: 'REST instead of GraphQL',
      rejected: [{ name: 'GraphQL', reason: 'Two clients only.' }],
      wanted: 'quiet',
      why: 'named in docs',
    },
    {
      num: 16,
      date: DECIDED,
      title: 'Deploy to Kubernetes',
      rejected: [{ name: 'Nomad', reason: 'Nobody knows it.' }],
      wanted: 'quiet',
      why: 'never lived in this repository',
    },
    { num: 17, date: DECIDED, title: 'React 18 renders the pages', wanted: 'quiet', why: 'a minor version' },
    {
      num: 18,
      date: DECIDED,
      title: 'Vitest runs the tests',
      rejected: [{ name: 'Jest', reason: 'Slow with ESM.' }],
      wanted: 'quiet',
      why: 'still there',
    },
    {
      num: 19,
      date: DECIDED,
      title: 'Money has tests',
      files_affected: ['test/money.test.ts'],
      wanted: 'quiet',
      why: 'tests were added',
    },
    {
      num: 20,
      date: DECIDED,
      title: 'The theme is one object',
      files_affected: ['src/theme.ts'],
      wanted: 'quiet',
      why: 'a formatter broke lines',
    },
    {
      num: 21,
      date: DECIDED,
      title: 'Use Moment for calendars',
      status: 'superseded',
      superseded_by: '4',
      rejected: [{ name: 'fastify', reason: null }],
      wanted: 'quiet',
      why: 'superseded',
    },
    {
      num: 22,
      date: '2026-03-05',
      title: 'Sessions are cached',
      rejected: [{ name: 'ioredis', reason: 'We try without.' }],
      wanted: 'quiet',
      why: 'it was there when this was decided',
    },
  ],
}

const python: DriftRepository = {
  name: 'billing (Python)',
  commits: [
    {
      day: START,
      files: {
        'pyproject.toml':
          '[project]\nname = "billing"\nrequires-python = ">=3.12"\ndependencies = [\n  "fastapi>=0.110",\n  "sqlalchemy>=2",\n  "httpx>=0.27",\n  "celery[redis]>=5",\n]\n\n[project.optional-dependencies]\ndev = ["pytest", "ruff"]\n',
        'billing/app.py': `import fastapi\nimport httpx\n${'x = 1\n'.repeat(3)}`,
        'billing/rules.py': Array.from({ length: 30 }, (_, i) => `def rule_${i}(x):\n    return x * ${i}\n`).join('\n'),
        'billing/tax.py': Array.from({ length: 20 }, (_, i) => `TAX_${i} = ${i * 3}\n`).join(''),
        'billing/invoice.py': Array.from({ length: 20 }, (_, i) => `LINE_${i} = "${i}"\n`).join(''),
      },
    },
    { day: '2026-02-01', renames: [['billing/invoice.py', 'billing/documents/invoice.py']] },
    {
      day: LATER,
      files: {
        'pyproject.toml':
          '[project]\nname = "billing"\nrequires-python = ">=3.12"\ndependencies = [\n  "flask>=3",\n  "sqlalchemy>=2",\n  "requests>=2.31",\n  "celery[redis]>=5",\n]\n\n[project.optional-dependencies]\ndev = ["pytest", "ruff"]\n',
        'billing/app.py': 'import flask\nimport requests\nx = 1\n',
        'billing/rules.py': `"""Rules of billing."""\n\n${Array.from({ length: 30 }, (_, i) => `def rule_${i}(x):  # rule ${i}\n    return x * ${i}\n`).join('\n\n')}`,
        'billing/tax.py': Array.from({ length: 20 }, (_, i) => `RATE_${i} = Decimal("${i * 5}")\n`).join(''),
        'uv.lock': '[[package]]\nname = "django"\nversion = "5.0"\n',
        'scripts/readme.txt': 'pip install django\n',
      },
    },
  ],
  decisions: [
    {
      num: 2,
      date: DECIDED,
      title: 'FastAPI serves the API',
      rejected: [
        { name: 'Flask', reason: 'No types.' },
        { name: 'Django', reason: 'Too large.' },
      ],
      wanted: 'replaced',
      why: 'flask came, fastapi left; django only in a lock file',
    },
    {
      num: 3,
      date: DECIDED,
      title: 'HTTP calls go through httpx',
      rejected: [{ name: 'aiohttp', reason: 'Another client.' }],
      wanted: 'chosen_gone',
      why: 'requests took its place',
    },
    {
      num: 4,
      date: DECIDED,
      title: 'Tax rates are constants',
      files_affected: ['billing/tax.py'],
      wanted: 'changed_much',
      why: 'every line is another',
    },
    {
      num: 5,
      date: DECIDED,
      title: 'Rules are plain functions',
      files_affected: ['billing/rules.py'],
      wanted: 'quiet',
      why: 'docstring, comments and blank lines',
    },
    {
      num: 6,
      date: DECIDED,
      title: 'SQLAlchemy maps the tables',
      rejected: [{ name: 'Django', reason: 'Brings its own everything.' }],
      wanted: 'quiet',
      why: 'django only in a lock file',
    },
    {
      num: 7,
      date: DECIDED,
      title: 'Invoices are immutable',
      files_affected: ['billing/invoice.py'],
      wanted: 'quiet',
      why: 'moved into a folder',
    },
    {
      num: 8,
      date: DECIDED,
      title: 'Celery runs the jobs',
      rejected: [{ name: 'Dramatiq', reason: 'Few users.' }],
      wanted: 'quiet',
      why: 'still there',
    },
    { num: 9, date: DECIDED, title: 'Python 3.12 or newer', wanted: 'quiet', why: 'nothing changed' },
  ],
}

const go: DriftRepository = {
  name: 'gateway (Go)',
  commits: [
    {
      day: START,
      files: {
        'go.mod':
          'module example.org/gateway\n\ngo 1.22\n\nrequire (\n\tgithub.com/go-chi/chi/v5 v5.0.12\n\tgithub.com/jackc/pgx/v5 v5.5.5\n\tgo.uber.org/zap v1.27.0\n)\n',
        'cmd/main.go':
          'package main\n\nimport (\n\t"github.com/go-chi/chi/v5"\n\t"github.com/jackc/pgx/v5"\n)\n\nfunc main() {}\n',
        'internal/redis/cache.go': 'package redis\n\nfunc Get() {}\n',
      },
    },
    {
      day: LATER,
      files: {
        'go.mod':
          'module example.org/gateway\n\ngo 1.23\n\nrequire (\n\tgithub.com/gin-gonic/gin v1.10.0\n\tgithub.com/jackc/pgx/v5 v5.6.0\n\tgithub.com/go-sql-driver/mysql v1.8.1 // indirect\n)\n',
        'cmd/main.go':
          'package main\n\nimport (\n\t"github.com/gin-gonic/gin"\n\t"github.com/jackc/pgx/v5"\n\t"example.org/gateway/internal/redis"\n)\n\nfunc main() {}\n',
      },
    },
  ],
  decisions: [
    {
      num: 2,
      date: DECIDED,
      title: 'Route with chi',
      rejected: [{ name: 'Gin', reason: 'Its own context type.' }],
      wanted: 'replaced',
      why: 'gin for chi',
    },
    {
      num: 3,
      date: DECIDED,
      title: 'Structured logs with zap',
      rejected: [{ name: 'logrus', reason: 'In maintenance.' }],
      wanted: 'chosen_gone',
      why: 'zap left',
    },
    { num: 4, date: DECIDED, title: 'Go 1.22 is the toolchain', wanted: 'pin_broken', why: 'go.mod says 1.23' },
    {
      num: 5,
      date: DECIDED,
      title: 'pgx talks to Postgres',
      rejected: [{ name: 'MySQL', reason: 'No arrays.' }],
      wanted: 'quiet',
      why: 'mysql is indirect',
    },
    {
      num: 6,
      date: DECIDED,
      title: 'Cache in process',
      rejected: [{ name: 'Redis', reason: 'A network hop.' }],
      wanted: 'quiet',
      why: 'a package of our own is called so',
    },
  ],
}

const rust: DriftRepository = {
  name: 'engine (Rust workspace)',
  commits: [
    {
      day: START,
      files: {
        'Cargo.toml':
          '[package]\nname = "engine"\nrust-version = "1.78"\n\n[dependencies]\naxum = "0.7"\nserde = "1"\nsqlx = "0.7"\nthiserror = "1"\n',
        'src/main.rs': 'use axum::Router;\nuse serde::Serialize;\nfn main() {}\n',
        'src/parse.rs': Array.from({ length: 24 }, (_, i) => `fn parse_${i}(input: &str) -> u32 { ${i} }\n`).join(''),
      },
    },
    {
      day: LATER,
      files: {
        'Cargo.toml': '[workspace]\nmembers = ["crates/*"]\n',
        'crates/api/Cargo.toml':
          '[package]\nname = "api"\n\n[dependencies]\nactix-web = "4"\nserde = "1"\nthiserror = "1"\n',
        'crates/store/Cargo.toml': '[package]\nname = "store"\n\n[dependencies]\ndiesel = "2"\n',
        'crates/api/src/main.rs': 'use actix_web::App;\nuse serde::Serialize;\nfn main() {}\n',
        'src/main.rs': null,
        'crates/parse/src/lib.rs': Array.from(
          { length: 24 },
          (_, i) => `fn parse_${i}(input: &str) -> u32 { ${i} }\n`,
        ).join(''),
        'src/parse.rs': null,
      },
    },
  ],
  decisions: [
    {
      num: 2,
      date: DECIDED,
      title: 'Axum serves HTTP',
      rejected: [{ name: 'Actix', reason: 'Its own runtime.' }],
      wanted: 'replaced',
      why: 'actix-web for axum',
    },
    {
      num: 3,
      date: DECIDED,
      title: 'Queries are checked by sqlx',
      rejected: [{ name: 'Diesel', reason: 'A DSL to learn.' }],
      wanted: 'replaced',
      why: 'diesel for sqlx',
    },
    {
      num: 4,
      date: DECIDED,
      title: 'serde for all formats',
      wanted: 'quiet',
      why: 'moved to a crate of the workspace',
    },
    {
      num: 5,
      date: DECIDED,
      title: 'Errors are enums with thiserror',
      rejected: [{ name: 'anyhow', reason: 'Callers cannot match.' }],
      wanted: 'quiet',
      why: 'moved to a crate of the workspace',
    },
    {
      num: 6,
      date: DECIDED,
      title: 'The parser is written by hand',
      rejected: [{ name: 'nom', reason: 'Errors nobody understands.' }],
      files_affected: ['src/parse.rs'],
      wanted: 'quiet',
      why: 'moved to a crate',
    },
  ],
}

const ruby: DriftRepository = {
  name: 'desk (Ruby)',
  commits: [
    {
      day: START,
      files: {
        Gemfile:
          'source "https://rubygems.org"\nruby "3.3"\ngem "rails", "~> 7.1"\ngem "pg"\ngem "good_job"\ngem "rspec-rails", group: :test\n',
        '.rubocop.yml': 'AllCops:\n  NewCops: enable\n',
        'app/models/ticket.rb': Array.from({ length: 16 }, (_, i) => `  validates :field_${i}, presence: true\n`).join(
          '',
        ),
      },
    },
    {
      day: LATER,
      files: {
        Gemfile:
          'source "https://rubygems.org"\nruby "3.3"\ngem "rails", "~> 7.2"\ngem "pg"\ngem "sidekiq"\ngem "minitest"\n',
        'Gemfile.lock': 'GEM\n  specs:\n    mysql2 (0.5.6)\n',
      },
    },
  ],
  decisions: [
    {
      num: 2,
      date: DECIDED,
      title: 'good_job works off the queue',
      rejected: [{ name: 'Sidekiq', reason: 'Needs Redis.' }],
      wanted: 'replaced',
      why: 'sidekiq for good_job',
    },
    {
      num: 3,
      date: DECIDED,
      title: 'RSpec for tests',
      rejected: [{ name: 'Minitest', reason: 'Less known here.' }],
      wanted: 'replaced',
      why: 'minitest for rspec',
    },
    { num: 4, date: DECIDED, title: 'Rails 7 carries the desk', wanted: 'quiet', why: 'a minor version' },
    {
      num: 5,
      date: DECIDED,
      title: 'Postgres holds tickets',
      rejected: [{ name: 'MySQL', reason: 'Weaker constraints.' }],
      wanted: 'quiet',
      why: 'only in the lock file',
    },
  ],
}

const java: DriftRepository = {
  name: 'ledger (Maven, Docker, CI)',
  commits: [
    {
      day: START,
      files: {
        'pom.xml':
          '<project>\n  <properties><java.version>21</java.version></properties>\n  <dependencies>\n    <dependency>\n      <groupId>io.quarkus</groupId>\n      <artifactId>quarkus-rest</artifactId>\n    </dependency>\n    <dependency>\n      <groupId>org.junit.jupiter</groupId>\n      <artifactId>junit-jupiter</artifactId>\n    </dependency>\n  </dependencies>\n</project>\n',
        'docker-compose.yml': 'services:\n  db:\n    image: postgres:16\n',
        '.github/workflows/ci.yml':
          'jobs:\n  test:\n    runs-on: ubuntu-latest\n    steps:\n      - uses: actions/checkout@v4\n',
        'infra/main.tf': 'resource "aws_instance" "ledger" {\n  ami = "x"\n}\n',
        'src/main/java/org/ledger/Book.java': 'package org.ledger;\nclass Book {}\n',
      },
    },
    {
      day: LATER,
      files: {
        'pom.xml':
          '<project>\n  <properties><java.version>21</java.version></properties>\n  <dependencies>\n    <dependency>\n      <groupId>org.springframework.boot</groupId>\n      <artifactId>spring-boot-starter-web</artifactId>\n    </dependency>\n    <!-- <dependency><groupId>org.testng</groupId><artifactId>testng</artifactId></dependency> -->\n    <dependency>\n      <groupId>org.junit.jupiter</groupId>\n      <artifactId>junit-jupiter</artifactId>\n    </dependency>\n  </dependencies>\n</project>\n',
        'docker-compose.yml': 'services:\n  db:\n    image: mongo:7\n',
        '.github/workflows/ci.yml': null,
        Jenkinsfile: 'pipeline { agent any }\n',
        'infra/main.tf': null,
        'third_party/terraform/README': 'x\n',
      },
    },
  ],
  decisions: [
    {
      num: 2,
      date: DECIDED,
      title: 'Quarkus is the framework',
      rejected: [{ name: 'Spring Boot', reason: 'Starts slowly.' }],
      wanted: 'replaced',
      why: 'spring for quarkus',
    },
    {
      num: 3,
      date: DECIDED,
      title: 'Entries are kept in PostgreSQL',
      rejected: [{ name: 'MongoDB', reason: 'Transactions.' }],
      wanted: 'replaced',
      why: 'the image is another',
    },
    {
      num: 4,
      date: DECIDED,
      title: 'GitHub Actions builds and tests',
      rejected: [{ name: 'Jenkins', reason: 'A server to care for.' }],
      wanted: 'replaced',
      why: 'a Jenkinsfile, no workflow',
    },
    {
      num: 5,
      date: DECIDED,
      title: 'JUnit for tests',
      rejected: [{ name: 'TestNG', reason: 'Two ways to test.' }],
      wanted: 'quiet',
      why: 'in a comment of the manifest',
    },
    { num: 6, date: DECIDED, title: 'Java 21', wanted: 'quiet', why: 'unchanged' },
    {
      num: 7,
      date: DECIDED,
      title: 'Backups go to S3 Glacier',
      rejected: [{ name: 'Tapes', reason: 'Nobody to change them.' }],
      wanted: 'quiet',
      why: 'infrastructure elsewhere',
    },
  ],
}

const workspace: DriftRepository = {
  name: 'monorepo (npm workspaces)',
  commits: [
    {
      day: START,
      files: {
        'package.json': json({
          name: 'all',
          private: true,
          workspaces: ['packages/*'],
          dependencies: { zod: '^3.0.0', hono: '^4.0.0', nanoid: '^5.0.0' },
        }),
        'packages/api/package.json': json({ name: '@all/api', dependencies: {} }),
        'packages/web/package.json': json({ name: '@all/web', dependencies: { vue: '^3.0.0' } }),
        'packages/api/src/index.ts': `import { z } from 'zod'\n${statements('api', 20)}`,
        'packages/api/src/generated/client.generated.ts': statements('generated', 40),
        'packages/web/src/app.ts': statements('app', 20),
      },
    },
    {
      day: LATER,
      files: {
        'package.json': json({
          name: 'all',
          private: true,
          workspaces: ['packages/*'],
          peerDependencies: { express: '*' },
          peerDependenciesMeta: { express: { optional: true } },
          overrides: { lodash: '4.17.21' },
        }),
        'packages/api/package.json': json({ name: '@all/api', dependencies: { zod: '^3.0.0', hono: '^4.0.0' } }),
        'packages/web/package.json': json({ name: '@all/web', dependencies: { react: '^18.0.0', axios: '^1.0.0' } }),
        'packages/api/src/generated/client.generated.ts': statements('anew', 40),
        'packages/api/src/vendor/nanoid/index.js': 'export const nanoid = () => "x"\n',
        'packages/redis/package.json': json({ name: '@all/redis', dependencies: {} }),
      },
    },
  ],
  decisions: [
    { num: 2, date: DECIDED, title: 'Zod for schemas', wanted: 'quiet', why: 'moved to the manifest of a package' },
    {
      num: 3,
      date: DECIDED,
      title: 'Hono serves the API',
      rejected: [{ name: 'Express', reason: 'Old types.' }],
      wanted: 'quiet',
      why: 'express is an optional peer',
    },
    {
      num: 4,
      date: DECIDED,
      title: 'No utility belt',
      rejected: [{ name: 'Lodash', reason: 'The platform has it.' }],
      wanted: 'quiet',
      why: 'an override pins what others need',
    },
    { num: 5, date: DECIDED, title: 'nanoid makes ids', wanted: 'quiet', why: 'a vendored copy' },
    {
      num: 6,
      date: DECIDED,
      title: 'The API client is generated',
      files_affected: ['packages/api/src/generated/'],
      wanted: 'quiet',
      why: 'generated files',
    },
    {
      num: 7,
      date: DECIDED,
      title: 'The API calls nobody with a client library',
      rejected: [{ name: 'axios', reason: 'fetch is there.' }],
      files_affected: ['packages/api/src/'],
      wanted: 'quiet',
      why: 'axios is in another package',
    },
    {
      num: 8,
      date: DECIDED,
      title: 'Vue for the pages',
      rejected: [{ name: 'React', reason: 'More code.' }],
      wanted: 'replaced',
      why: 'react for vue',
    },
    {
      num: 9,
      date: DECIDED,
      title: 'Cache in memory',
      rejected: [{ name: 'Redis', reason: 'One more service.' }],
      wanted: 'quiet',
      why: 'a package of the workspace is called so',
    },
  ],
}

/** The cases used to develop the rules. Labels were written before anything was measured. */
export const TUNED: readonly DriftRepository[] = [web, python, go, rust, ruby, java, workspace]
