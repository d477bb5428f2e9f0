import { describe, expect, test } from 'vitest'
import { duckdb } from '../src/context/warehouse/duckdb/index.ts'
import { mysql } from '../src/context/warehouse/mysql/index.ts'
import { address as mysqlAddress } from '../src/context/warehouse/mysql/mysql-warehouse.ts'
import { postgresql } from '../src/context/warehouse/postgres/index.ts'
import { address as postgresAddress } from '../src/context/warehouse/postgres/postgres-warehouse.ts'
import { sqlite } from '../src/context/warehouse/sqlite/index.ts'

describe('connections in ken.yaml', () => {
  test.each([duckdb, sqlite])('$type: requires a path and accepts nothing else', (type) => {
    expect(type.connection.parse({ path: 'data/shop.db' })).toEqual({ path: 'data/shop.db' })
    expect(() => type.connection.parse({})).toThrow(/path/)
    expect(() => type.connection.parse({ path: 'a', paths: 'b' })).toThrow(/paths/)
  })

  test.each([postgresql, mysql])('$type: requires either a url, or a host and a database', (type) => {
    const scheme = type.type === 'mysql' ? 'mysql' : 'postgres'
    expect(type.connection.parse({ url: `${scheme}://u:p@h:1/d` })).toBeDefined()
    expect(type.connection.parse({ host: 'h', database: 'd', user: 'u', password: 'p' })).toBeDefined()
    expect(() => type.connection.parse({ host: 'h', user: 'u' })).toThrow(/give either url/)
    expect(() => type.connection.parse({ url: `${scheme}://h/d`, database: 'd' })).toThrow(/give either url/)
    expect(() => type.connection.parse({ url: 'https://h/d' })).toThrow()
    expect(() => type.connection.parse({ host: 'h', database: 'd', port: 70_000 })).toThrow(/port/)
  })

  test('a url is parsed, including escapes', () => {
    expect(
      postgresAddress({ url: 'postgres://us%40er:p%2Fw@db.example.com:6543/sh%20op?sslmode=require' }),
    ).toMatchObject({
      options: {
        host: 'db.example.com',
        port: 6543,
        database: 'sh op',
        user: 'us@er',
        password: 'p/w',
        ssl: { rejectUnauthorized: false },
      },
      database: 'sh op',
    })
    expect(mysqlAddress({ url: 'mysql://user:p%2Fw@db.example.com/shop' })).toMatchObject({
      options: { host: 'db.example.com', port: 3306, database: 'shop', user: 'user', password: 'p/w' },
    })
  })

  test('a password is a secret in every notation', () => {
    expect(postgresAddress({ url: 'postgres://u:p%2Fw@h/d' }).secrets).toEqual(expect.arrayContaining(['p/w', 'p%2Fw']))
    expect(mysqlAddress({ host: 'h', database: 'd', password: 'p/w' }).secrets).toContain('p/w')
  })
})
