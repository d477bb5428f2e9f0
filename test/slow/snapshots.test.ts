import { expect, test } from 'vitest'
import { useFileRecord } from '../file-record.ts'
import { takeSnapshots } from '../snapshot-weight.ts'

const { open } = useFileRecord()

test(
  '1,000 snapshots of 1,000 decisions take less than three times the size of the record',
  { timeout: 600_000 },
  async () => {
    const { pack, record } = await takeSnapshots(await open(), 1000)
    console.log(
      `${(pack / 1e6).toFixed(2)} MB of snapshots for a record of ${(record / 1e6).toFixed(2)} MB: ${(pack / record).toFixed(2)} times`,
    )
    expect(pack / record).toBeLessThan(3)
  },
)
