/**
 * Prints the SQL that creates the company: `node eval/company-sql.ts [postgres|duckdb|sqlite] [--large] > company.sql`.
 */
import { buildStatements, type Engine } from './company/statements.ts'

const engine = (process.argv[2] ?? 'postgres') as Engine
for (const statement of buildStatements(engine, { large: process.argv.includes('--large') }))
  process.stdout.write(`${statement};\n`)
