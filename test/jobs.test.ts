import { openMemoryJobs } from '../src/adapters/jobs/memory/index.ts'
import { describeJobs } from './contract/jobs.contract.ts'

describeJobs('memory', async (clock) => openMemoryJobs(clock))
