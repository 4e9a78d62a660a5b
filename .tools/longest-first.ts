import { relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { root } from './root.ts'

/** The slowest files, slowest first: if one started last, it would prolong the run alone. */
const longest = [
  'server/accounts/auth/single-use.test.ts',
  'server/deploys.test.ts',
  'server/selling/listings/sandbox.test.ts',
  'server/catalog/imports/resume.test.ts',
  'server/accounts/auth/timing.test.ts',
  'server/catalog/imports/database-faults.test.ts',
  'server/integrations/compliance.test.ts',
  'server/catalog/imports/matching/matching.test.ts',
  'server/lab/contention/contend.test.ts',
  'server/integrations/quota/quota.test.ts',
  'extension/background/killed.test.ts',
  'extension/background/session/account.test.ts',
  'e2e/inventory-page.test.ts',
  'e2e/fill-forms.test.ts',
  'e2e/list-by-form.test.ts',
  'e2e/extension.test.ts',
  'e2e/popup.test.ts',
  'e2e/hostile-text.test.ts',
  'e2e/depop.test.ts',
  'e2e/interrupted.test.ts',
  'e2e/take-down.test.ts',
]

/** Orders the rest as Vitest does by default. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => {
      const found = longest.indexOf(relative(root, moduleId).replaceAll('\\', '/'))
      return found === -1 ? longest.length : found
    }
    const sorted = await super.sort(files)
    return sorted.toSorted((one, other) => place(one) - place(other))
  }
}
