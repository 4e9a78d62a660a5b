import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { version } from './version.ts'

it('is written in the package alone', () => {
  const files = execFileSync('git', ['ls-files', 'server', 'extension', 'shared', '.tools'], { encoding: 'utf8' })
  const sources = files.split('\n').filter((file) => /\.tsx?$/.test(file) && !/[.]test[.]|\/testing\//.test(file))
  expect(sources.filter((file) => readFileSync(file, 'utf8').includes(`'${version}'`))).toEqual([])
})
