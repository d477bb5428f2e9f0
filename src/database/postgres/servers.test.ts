import pg from 'pg'
import { expect, test } from 'vitest'
import { addressesOf, openServers } from './servers.ts'

test('an address may name several servers, each with its port, sharing the rest', () => {
  expect(addressesOf('postgres://ken:a%40b@one:5432,two:6432/ken?sslmode=require')).toEqual([
    'postgres://ken:a%40b@one:5432/ken?sslmode=require',
    'postgres://ken:a%40b@two:6432/ken?sslmode=require',
  ])
  expect(addressesOf('postgresql://one,[::1]:5433')).toEqual(['postgresql://one', 'postgresql://[::1]:5433'])
})

test('one server is one address, including a socket', () => {
  expect(addressesOf('postgres://ken@one/ken')).toEqual(['postgres://ken@one/ken'])
  expect(addressesOf('socket:/tmp?db=ken')).toEqual(['socket:/tmp?db=ken'])
})

test('rejects a target_session_attrs other than read-write', () => {
  expect(addressesOf('postgres://a,b/ken?target_session_attrs=read-write&sslmode=require')).toEqual([
    'postgres://a/ken?sslmode=require',
    'postgres://b/ken?sslmode=require',
  ])
  expect(() => addressesOf('postgres://a,b/ken?target_session_attrs=standby')).toThrow(/read-write/)
})

test('losing an idle connection does not throw', () => {
  const { Client } = openServers(pg.Client, 'postgres://ken@one/ken')
  const client = new Client({})
  expect(() => client.emit('error', new Error('terminating connection'))).not.toThrow()
})
