import { describe, expect, test } from 'vitest'
import { dependenciesIn } from './dependencies.ts'
import { fileKind } from './file-kind.ts'
import { importIn } from './imports.ts'

describe('a line of a manifest names a package', () => {
  test.each([
    ['package.json', '    "redis": "^4.6.0",', ['redis']],
    ['web/package.json', '"@nestjs/core": "workspace:*"', ['@nestjs/core']],
    ['package.json', '"left-pad": "github:someone/left-pad"', ['left-pad']],
    ['package.json', '  "version": "1.2.3",', []],
    ['package.json', '  "node": ">=20"', []],
    ['package.json', '    "test": "vitest run",', []],
    ['requirements.txt', 'celery[redis]==5.3.1', ['celery']],
    ['requirements-dev.txt', '# comment', []],
    ['requirements.txt', '-r base.txt', []],
    ['pyproject.toml', 'redis = "^5.0"', ['redis']],
    ['pyproject.toml', '    "fastapi>=0.100",', ['fastapi']],
    ['pyproject.toml', 'line-length = 100', []],
    ['Cargo.toml', 'tokio = { version = "1", features = ["full"] }', ['tokio']],
    ['go.mod', '\tgithub.com/redis/go-redis/v9 v9.0.2', ['github.com/redis/go-redis/v9']],
    ['Gemfile', "gem 'sidekiq', '~> 7.0'", ['sidekiq']],
    ['pom.xml', '<artifactId>spring-boot-starter-amqp</artifactId>', ['spring-boot-starter-amqp']],
    ['build.gradle.kts', '    implementation("io.ktor:ktor-server-netty:2.3.0")', ['io.ktor:ktor-server-netty']],
    ['App.csproj', '<PackageReference Include="StackExchange.Redis" Version="2.6.0" />', ['StackExchange.Redis']],
    ['mix.exs', '      {:phoenix, "~> 1.7"},', ['phoenix']],
    ['pubspec.yaml', '  hive: ^2.2.3', ['hive']],
    ['Dockerfile', 'FROM --platform=linux/amd64 docker.io/library/redis:7-alpine AS cache', ['redis']],
    ['docker-compose.yml', '    image: "rabbitmq:3-management"', ['rabbitmq']],
  ])('%s: %s', (path, line, expected) => {
    expect(fileKind(path)).toBe('manifest')
    expect(dependenciesIn(path, line)).toEqual(expected)
  })
})

describe('a line of code imports a package', () => {
  test.each([
    ['src/a.ts', "import { createClient } from 'redis'", 'redis'],
    ['src/a.ts', "import type { X } from '@scope/name/deep/file.js'", '@scope/name'],
    ['src/a.ts', "} from 'kafkajs'", 'kafkajs'],
    ['src/a.ts', "import 'reflect-metadata'", 'reflect-metadata'],
    ['src/a.js', "const redis = require('redis')", 'redis'],
    ['src/a.mjs', "await import('chalk')", 'chalk'],
    ['src/a.vue', "export * from 'vue'", 'vue'],
    ['src/a.ts', "import { x } from './redis.ts'", undefined],
    ['src/a.ts', "import { x } from '@/redis'", undefined],
    ['src/a.ts', "import fs from 'node:fs'", undefined],
    ['src/a.ts', "import fs from 'fs/promises'", undefined],
    ['src/a.ts', "export const status = 'valid'", undefined],
    ['src/a.ts', "const from = 'redis'", undefined],
    ['app.py', 'from celery.app import Celery', 'celery.app'],
    ['app.py', 'import redis', 'redis'],
    ['app.py', 'from .models import User', undefined],
    ['main.go', '\t"github.com/redis/go-redis/v9"', 'github.com/redis/go-redis/v9'],
    ['main.go', '\t"fmt"', undefined],
    ['lib.rs', 'use tokio::sync::Mutex;', 'tokio'],
    ['lib.rs', 'use crate::queue;', undefined],
    ['A.java', 'import org.springframework.amqp.core.Queue;', 'org.springframework.amqp.core.Queue'],
    ['A.cs', 'using StackExchange.Redis;', 'StackExchange.Redis'],
    ['a.rb', "require 'sidekiq'", 'sidekiq'],
    ['a.php', 'use Predis\\Client;', 'Predis\\Client'],
  ])('%s: %s', (path, line, expected) => expect(importIn(path, line)).toBe(expected))
})

test.each([
  'package-lock.json',
  'web/pnpm-lock.yaml',
  'Cargo.lock',
  'go.sum',
  'docs/guide.md',
  'CHANGELOG.md',
  'LICENSE',
  '.ken/record/decisions/001-x.md',
  '.ken/config.json',
  'vendor/x.go',
  'node_modules/x/package.json',
  'a/dist/x.js',
  'app.min.js',
  'a.snap',
  'logo.svg',
])('%s is not judged', (path) => expect(fileKind(path)).toBe('ignored'))
