import { readFile } from 'node:fs/promises'
import { afterAll, describe, expect, test } from 'vitest'
import { chunkCode } from '../domain/chunking/chunk-code.ts'
import { CODE_LANGUAGES, languageOfFile } from '../domain/chunking/code-files.ts'
import { openTreeSitterParser } from './index.ts'

const parser = openTreeSitterParser()
afterAll(() => parser.close())

const readFixture = (name: string) =>
  readFile(new URL(`../../../test/fixtures/code/${name}.txt`, import.meta.url), 'utf8')

async function outline(name: string) {
  const parsed = await parser.parse(await readFixture(name), languageOfFile(name)!)
  return {
    definitions: parsed!.definitions.map(
      ({ kind, within, name, startLine, endLine }) => `${kind} ${[...within, name].join('.')} ${startLine}-${endLine}`,
    ),
    imports: parsed!.imports.map(({ module }) => module),
    calls: parsed!.calls.map(({ name, line }) => `${name}:${line}`),
  }
}

describe('definitions, imports and calls', () => {
  test('parses TypeScript', async () => {
    expect(await outline('ledger.ts')).toEqual({
      definitions: [
        'interface Booking 6-9',
        'type Cents 11-11',
        'enum Side 13-13',
        'class Ledger 16-32',
        'method Ledger.constructor 19-21',
        'method Ledger.open 23-25',
        'method Ledger.total 27-29',
        'method Ledger.onChange 31-31',
        'function decode 34-34',
        'constant LIMIT 36-36',
        'function run 38-41',
        'function run.inner 39-39',
        'module Money 43-45',
        'function Money.round 44-44',
        'constant lazy 47-47',
        'constant old 48-48',
      ],
      imports: ['node:fs/promises', './clock.ts', './parse.ts', './later.ts', 'legacy'],
      calls: [
        'readFile:24',
        'then:24',
        'reduce:28',
        'notify:31',
        'Ledger:34',
        'systemClock:34',
        'decode:39',
        'inner:40',
        'round:44',
        'require:48',
      ],
    })
  })

  test('parses TSX', async () => {
    expect(await outline('view.tsx')).toEqual({
      definitions: ['function Counter 3-6', 'function Page 8-8'],
      imports: ['react'],
      calls: ['useState:4', 'setCount:5', 'format:5', 'Counter:8'],
    })
  })

  test('parses JavaScript', async () => {
    expect(await outline('queue.js')).toEqual({
      definitions: [
        'class Queue 4-10',
        'method Queue.push 6-9',
        'function drain 12-14',
        'function retry 16-18',
        'function later 20-20',
      ],
      imports: ['events', 'fs'],
      calls: ['require:1', 'push:7', 'emit:8', 'shift:13', 'task:17', 'setTimeout:20'],
    })
  })

  test('parses Python, with decorators as part of their function', async () => {
    expect(await outline('store.py')).toEqual({
      definitions: [
        'constant LIMIT 6-6',
        'class Record 9-23',
        'method Record.size 15-17',
        'method Record.load 19-23',
        'function Record.load.decode 20-21',
        'function find 26-30',
      ],
      imports: ['os', 'numpy', '.errors', 'collections'],
      calls: ['len:17', 'strip:21', 'decode:23', 'read:23', 'lru_cache:26', 'NotFound:29', 'array:30'],
    })
  })

  test('parses Go, with methods under their receiver', async () => {
    expect(await outline('server.go')).toEqual({
      definitions: [
        'constant Limit 10-10',
        'constant ErrGone 12-12',
        'class Server 15-17',
        'interface Handler 19-21',
        'type Names 23-23',
        'function Open 26-29',
        'method Server.Close 31-33',
      ],
      imports: ['fmt', 'github.com/example/log', 'net/http'],
      calls: ['Errorf:12', 'Print:27', 'NewServeMux:28', 'Stop:32'],
    })
  })

  test('parses Rust', async () => {
    expect(await outline('parser.rs')).toEqual({
      definitions: [
        'constant LIMIT 4-4',
        'constant NAME 5-5',
        'class Node 9-11',
        'enum Kind 13-13',
        'interface Visit 15-18',
        'method Visit.enter 16-16',
        'method Visit.leave 17-17',
        'implementation Walker 20-25',
        'method Walker.enter 21-24',
        'implementation Node 27-29',
        'method Node.new 28-28',
        'module tests 31-33',
        'function tests.works 32-32',
        'macro twice 35-35',
        'type Pairs 37-37',
        'function parse 39-39',
      ],
      imports: ['std::collections::HashMap', 'crate::lexer::{Token, Lexer}'],
      calls: [
        'depth:17',
        'println:22',
        'count:23',
        'len:23',
        'build:28',
        'to_string:28',
        'assert_eq:32',
        'new:39',
        'run:39',
      ],
    })
  })

  test('parses Java', async () => {
    expect(await outline('Account.java')).toEqual({
      definitions: [
        'class Account 7-24',
        'method Account.Account 10-12',
        'method Account.close 14-17',
        'enum Account.Kind 19-19',
        'interface Account.Listener 21-23',
        'method Account.Listener.changed 22-22',
        'class Point 26-26',
        'interface Marker 28-28',
      ],
      imports: ['java.util.List', 'java.lang.Math.max'],
      calls: ['release:16', 'trim:16'],
    })
  })

  test('parses C with the C++ grammar', async () => {
    expect(await outline('list.c')).toEqual({
      definitions: [
        'macro LIMIT 3-3',
        'type node_t 5-8',
        'class node_t.node 5-8',
        'enum side 10-10',
        'class cell 12-12',
        'function push 14-19',
        'function main 21-21',
      ],
      imports: ['stdio.h', 'list.h'],
      calls: ['malloc:16', 'link_to:18', 'printf:21', 'push:21'],
    })
  })

  test('parses C++, with methods defined outside under their class', async () => {
    expect(await outline('shape.cpp')).toEqual({
      definitions: [
        'module geo 4-28',
        'class geo.Shape 6-14',
        'method geo.Shape.Shape 8-8',
        'method geo.Shape.~Shape 9-9',
        'method geo.Shape.area 10-10',
        'function geo.largest 16-19',
        'method geo.Shape.operator== 21-21',
        'method geo.Shape.scale 23-23',
        'enum geo.Side 25-25',
        'type geo.Shapes 26-26',
      ],
      imports: ['vector', 'shape.h'],
      calls: ['compute:10', 'max_element:18', 'begin:18', 'end:18', 'area:23'],
    })
  })

  test('parses C#', async () => {
    expect(await outline('Orders.cs')).toEqual({
      definitions: [
        'module Shop.Orders 4-31',
        'class Shop.Orders.OrderBook 7-20',
        'method Shop.Orders.OrderBook.Count 12-12',
        'method Shop.Orders.OrderBook.OrderBook 14-14',
        'method Shop.Orders.OrderBook.FindAsync 16-19',
        'interface Shop.Orders.IOrderBook 22-22',
        'method Shop.Orders.IOrderBook.FindAsync 22-22',
        'class Shop.Orders.Order 24-24',
        'class Shop.Orders.Line 26-26',
        'enum Shop.Orders.State 28-28',
        'type Shop.Orders.Changed 30-30',
      ],
      imports: ['System.Linq', 'System.Text.Json'],
      calls: ['LoadAsync:18', 'ConfigureAwait:18'],
    })
  })

  test('parses Ruby', async () => {
    expect(await outline('invoice.rb')).toEqual({
      definitions: [
        'module Billing 4-23',
        'constant Billing.LIMIT 5-5',
        'class Billing.Invoice 8-22',
        'method Billing.Invoice.initialize 11-13',
        'method Billing.Invoice.load 15-17',
        'method Billing.Invoice.total 19-21',
        'function helper_method 25-27',
      ],
      imports: ['json', 'money'],
      calls: [
        'require:1',
        'require_relative:2',
        'attr_reader:9',
        'new:16',
        'parse:16',
        'read:16',
        'sum:20',
        'amount:20',
        'puts:26',
      ],
    })
  })

  test('parses PHP', async () => {
    expect(await outline('Router.php')).toEqual({
      definitions: [
        'constant LIMIT 8-8',
        'class Router 11-26',
        'method Router.__construct 15-15',
        'method Router.make 17-20',
        'method Router.match 22-25',
        'interface Dispatches 28-28',
        'method Dispatches.match 28-28',
        'class Logs 30-30',
        'method Logs.log 30-30',
        'enum Suit 32-32',
        'function route 34-34',
      ],
      imports: ['App\\Models\\User', 'App\\helper', 'legacy.php'],
      calls: ['self:19', 'helper:19', 'find:24', 'trim:24', 'guest:24', 'error_log:30', 'strtoupper:34'],
    })
  })

  test('parses shell scripts', async () => {
    expect(await outline('release.sh')).toEqual({
      definitions: ['constant LIMIT 6-6', 'function build 8-11', 'function publish 13-15'],
      imports: ['./lib.sh', '$HOME/.env'],
      calls: ['set:2', 'source:3', '.:4', 'npm:9', 'check_tree:10', 'build:14', 'git:14', 'publish:17'],
    })
  })
})

test('returns the readable parts of broken code', async () => {
  const parsed = await parser.parse(
    'function good() { return 1 }\nclass {{{ oops\nfunction alsoGood() {}\n',
    'javascript',
  )
  expect(parsed!.definitions.map(({ name }) => name)).toContain('good')
})

test('line numbers are correct with non-ASCII text and Windows line ends', async () => {
  const parsed = await parser.parse('// 猫 😀\r\nexport function später() {\r\n  return "ü"\r\n}\r\n', 'typescript')
  expect(parsed!.definitions).toEqual([{ name: 'später', kind: 'function', within: [], startLine: 2, endLine: 4 }])
})

test.each(CODE_LANGUAGES)('an empty %s file has an empty outline', async (language) => {
  expect(await parser.parse('', language)).toEqual({ definitions: [], imports: [], calls: [] })
})

test('a file too large to parse is chunked by lines', async () => {
  expect(await parser.parse('x = 1\n'.repeat(200_000), 'python')).toBeUndefined()
})

test('Python blocks nested beyond the limit of the grammar do not affect other files', async () => {
  const deep = Array.from({ length: 900 }, (_, i) => `${' '.repeat(i)}if x:`).join('\n')
  for (const text of [deep, `with a:\n${deep.replaceAll('if x', ' with f()')}\n`])
    expect(await parser.parse(text, 'python')).toBeUndefined()
  expect((await parser.parse('def f(): pass', 'python'))?.definitions).toMatchObject([{ name: 'f' }])
})

test('a real file is cut along its definitions', async () => {
  const text = await readFixture('ledger.ts')
  const parsed = await parser.parse(text, 'typescript')
  const chunks = chunkCode(text, parsed!.definitions)
  expect(chunks.map(({ text }) => text).join('')).toBe(text)
  expect(chunks[0]!.heading).toMatch(/^Booking, Cents, Side, Ledger/)
})

test('files are recognised by their names', () => {
  expect(['src/a.ts', 'B.TSX', 'lib.h', 'Gemfile', 'x.mjs', '.bashrc'].map(languageOfFile)).toEqual([
    'typescript',
    'tsx',
    'cpp',
    'ruby',
    'javascript',
    'shell',
  ])
  expect(['README.md', 'data.json', 'ts', 'Makefile'].map(languageOfFile)).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ])
})
