import { z } from 'zod'
import { defineWarehouse } from '../../ports/warehouse.ts'

const connection = z.strictObject({
  url: z.url({ protocol: /^https?$/, hostname: /.*/ }).default('http://localhost:8123'),
  database: z.string().min(1).default('default'),
  user: z.string().min(1).default('default'),
  password: z.string().default(''),
})

export type ClickhouseConnection = z.output<typeof connection>

export const clickhouse = defineWarehouse({
  type: 'clickhouse',
  label: 'ClickHouse',
  place: 'server',
  connection,
  secrets: ['password'],
  open: async (given) => (await import('./clickhouse-engine.ts')).openClickhouseWarehouse(given),
})
