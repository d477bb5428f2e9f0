import { describe, expect, test } from 'vitest'
import { configNames } from './config-names.ts'
import { packagesIn } from './manifest-packages.ts'
import { toolsOfFile } from './telling-files.ts'

describe('packages required by a manifest', () => {
  test.each([
    [
      'package.json',
      '{"dependencies":{"redis":"^4","kv":"npm:ioredis@5"},"keywords":["jwt"]}',
      ['redis', 'kv', 'ioredis'],
    ],
    [
      'web/package.json',
      '{"packageManager":"yarn@4.3.0","devDependencies":{"@jest/globals":"29"}}',
      ['@jest/globals', 'yarn'],
    ],
    ['package.json', '{ broken\n  "redis": "^4.6.0",', ['redis']],
    ['composer.json', '{"require":{"php":">=8","predis/predis":"^2"}}', ['predis/predis']],
    ['deno.json', '{"imports":{"r":"npm:redis@4"}}', ['redis']],
    ['pyproject.toml', '[project]\ndependencies = ["celery[redis]>=5", "flask"]\n', ['celery[redis]', 'flask']],
    ['pyproject.toml', '[tool.poetry.group.dev.dependencies]\nmotor = "^3"\n', ['motor']],
    ['Pipfile', '[packages]\ncelery = {version = "*", extras = ["redis"]}\n', ['celery[redis]']],
    ['requirements.txt', '# redis\ncelery[redis]==5.3\n', ['celery', 'celery[redis]']],
    ['Cargo.toml', '[target.x.dependencies]\nkv = { package = "redis", version = "0.25" }\n', ['redis']],
    ['go.mod', 'require (\n\ta.b/c v1.0.0\n\ta.b/d v1.0.0 // indirect\n)\n', ['a.b/c']],
    [
      'pom.xml',
      '<!-- <dependency><artifactId>x</artifactId></dependency> --><dependency><groupId>a</groupId><artifactId>b</artifactId></dependency>',
      ['a:b'],
    ],
    ['libs.versions.toml', '[libraries]\njpa = { module = "a:b", version = "1" }\n', ['a:b']],
    ['App.csproj', '<PackageReference Include="StackExchange.Redis" Version="2" />', ['StackExchange.Redis']],
    [
      'docker-compose.yml',
      'services:\n  a:\n    image: docker.io/redis:7\n    environment: [KAFKA_URL=x]\n',
      ['docker.io/redis', 'KAFKA_URL'],
    ],
    ['.github/workflows/a.yml', 'jobs:\n  t:\n    services:\n      r:\n        image: redis:7\n', ['redis']],
    [
      '.github/workflows/a.yml',
      'jobs:\n  t:\n    steps:\n      - uses: snyk/actions/docker@master\n      - uses: ./own\n      - uses: docker://redis:7\n',
      ['snyk/actions', 'redis'],
    ],
    [
      'vcpkg.json',
      '{"dependencies":["fmt",{"name":"boost-asio","platform":"!windows"}],"features":{"t":{"dependencies":["gtest"]}}}',
      ['fmt', 'boost-asio', 'gtest'],
    ],
    ['conanfile.txt', '[requires]\nfmt/10.2.1 # zlib/1\n[options]\nfmt/*:shared=True\n', ['fmt']],
    ['conanfile.py', 'def requirements(self):\n  self.requires("fmt/10.2.1")\n  # "zlib/1.3"\n', ['fmt']],
    [
      'src/CMakeLists.txt',
      '# find_package(Eigen3)\nfind_package(Boost REQUIRED COMPONENTS system)\nFetchContent_Declare(\n  json\n  GIT_REPOSITORY https://github.com/nlohmann/json.git\n)\nCPMAddPackage("gh:fmtlib/fmt#10.2.1")\n',
      ['Boost', 'fmtlib/fmt', 'json', 'nlohmann/json'],
    ],
    [
      'build.sbt',
      'libraryDependencies ++= Seq(\n  // "com.typesafe.slick" %% "slick" % "3"\n  "io.circe" %% "circe-core" % "0.14.9" % Test\n)\n',
      ['io.circe:circe-core'],
    ],
    ['project/Dependencies.scala', 'val db = "org.tpolecat" %%% "doobie-core" % v\n', ['org.tpolecat:doobie-core']],
    ['MODULE.bazel', 'bazel_dep(name = "protobuf", version = "27.0")\n', ['protobuf']],
    [
      'Dockerfile',
      'FROM node:22 AS redis\nFROM redis\nRUN apt-get update && apt-get install -y \\\n  redis-server\n',
      ['node', 'redis-server'],
    ],
  ])('%s: %s', (path, text, expected) => expect(packagesIn(path, text)).toEqual(expected))
})

describe('things named by a line of configuration', () => {
  test.each([
    ['.env', 'REDIS_URL=redis://x', ['REDIS', 'redis']],
    ['main.tf', '  engine = "redis"', ['redis']],
    ['main.tf', '  # engine = "redis"', []],
    ['openapi.yaml', '    The session is a cookie and carries no JWT inside', []],
    ['a.yml', 'description: Redis', []],
    ['a.ini', 'redis.enabled=false', []],
    ['a.sh', 'docker run -d redis:7', ['redis']],
    ['a.sh', 'echo "Redis is gone"', []],
    ['deploy/a.yaml', 'apiVersion: apps/v1', ['Kubernetes']],
  ])('%s: %s', (path, line, expected) => {
    const names = configNames(path, line)
    expect(names.filter((name) => !/docker/i.test(name))).toEqual(expected)
  })
})

test('derives the tool from the name of a new file', () => {
  expect(['infra/main.tf', 'Jenkinsfile', 'db/schema.prisma', 'src/a.ts'].map(toolsOfFile)).toEqual([
    ['Terraform'],
    ['Jenkins'],
    ['Prisma'],
    [],
  ])
})
