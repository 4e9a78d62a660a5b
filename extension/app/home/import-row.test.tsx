// @vitest-environment happy-dom
import { afterEach, expect, it } from 'vitest'
import { closeScreen, dom, openPage, waitFor } from '#extension/testing/screen.tsx'
import { StandInServer } from '#extension/testing/stand-in-server.ts'
import type { ImportJob } from '#shared/contract/catalog/imports.ts'
import { newId } from '#shared/identity.ts'

afterEach(closeScreen)

const now = new Date().toISOString()
const job: ImportJob = {
  ...{ id: newId('job'), marketplace: 'ebay', status: 'in_progress', total_listings_found: 0, items_imported: 0 },
  ...{ items_skipped: 0, items_failed: 0, items_conflicted: 0, has_issues: false, issue_summary: 'No issues.' },
  ...{ progress_percentage: 0, error_message: null, created_at: now, started_at: now, completed_at: null },
}

it('says that eBay does not answer, and stops the import after a question', async () => {
  const server = new StandInServer()
  let shown: ImportJob = {
    ...job,
    retry: { reason: 'eBay is not answering.', at: new Date(Date.now() + 20_000).toISOString() },
  }
  server.answers.set('listImportJobs', () => [shown])
  server.answers.set('stopImport', () => {
    shown = { ...shown, status: 'failed', retry: null, error_message: 'You stopped it.', completed_at: now }
    return shown
  })
  const { user } = await openPage({ server, hash: '#home' })
  await dom.findByText('Asking eBay for your listings…')
  expect(dom.getByText(/^eBay is not answering\. Retrying in \d+ sec\.$/)).toBeTruthy()
  // A bar without a value moves.
  expect(dom.getByRole('progressbar', { name: 'eBay import' }).hasAttribute('value')).toBe(false)
  expect(dom.queryByText('All done.')).toBeNull()
  await user.click(dom.getByRole('button', { name: 'Stop the eBay import' }))
  await dom.findByText('Stop this eBay import? What was imported stays.')
  await user.click(dom.getByRole('button', { name: 'Stop' }))
  await waitFor(() => expect(dom.getByText('You stopped it.')).toBeTruthy())
})
