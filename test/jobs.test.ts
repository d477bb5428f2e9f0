import { openMemoryJobs } from '../src/team/jobs/memory.ts'
import { describeJobs } from './contract/jobs.contract.ts'

describeJobs('memory', async (clock) => openMemoryJobs(clock))
