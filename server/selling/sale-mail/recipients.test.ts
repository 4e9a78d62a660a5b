import { describe, expect, it } from 'vitest'
import { messagesTo, tokenIn, waitForMessage } from '#e2e/harness/outbox.ts'
import { someEmail } from '#e2e/harness/register.ts'
import { useSaleMail } from './testing/harness.ts'

const harness = useSaleMail()
const { build, list, deliver, call, stateOf } = harness
type Seller = Awaited<ReturnType<typeof build>>

const coat = { title: 'Wool Peacoat Navy Vintage 70s', price_minor: 6_400 }
const recipientsOf = async (seller: Seller) => (await call(seller, 'GET', '')).body.recipients
const add = (seller: Seller, email: string) => call(seller, 'POST', 'recipients/', { email })
const confirm = (seller: Seller, token: string) => call(seller, 'POST', 'recipients/confirm/', { token })

async function linkFor(seller: Seller, email: string): Promise<string> {
  await add(seller, email)
  return tokenIn((await messagesTo(harness.server.services, email)).at(-1)!)
}

describe('an address that marketplaces write to', () => {
  it('counts once its link is confirmed', async () => {
    const seller = await build()
    const email = someEmail()
    const item = await list(seller, coat)
    const token = await linkFor(seller, email)
    expect(await recipientsOf(seller)).toEqual([
      { email: seller.email, verified_at: expect.any(String) },
      { email, verified_at: null },
    ])
    expect(await deliver(seller, 'poshmark-sale', { to: email })).toMatchObject({ reason: 'recipient' })
    expect(await confirm(await build(), token)).toMatchObject({ status: 400, body: { code: 'code_invalid' } })
    expect(await confirm(seller, token)).toMatchObject({
      status: 200,
      body: { email, verified_at: expect.any(String) },
    })
    expect(await confirm(seller, token)).toMatchObject({ status: 400, body: { code: 'code_invalid' } })
    expect(await deliver(seller, 'poshmark-sale', { to: email.toUpperCase() })).toMatchObject({ outcome: 'held' })
    expect(await stateOf(item)).toBe('reserved')
    expect(await call(seller, 'DELETE', `recipients/${encodeURIComponent(email)}/`)).toMatchObject({ status: 204 })
    expect(await call(seller, 'DELETE', `recipients/${encodeURIComponent(email)}/`)).toMatchObject({ status: 404 })
    expect(await recipientsOf(seller)).toHaveLength(1)
  })

  it('is proved by one account at a time, and the older is told', async () => {
    const [older, newer] = [await build(), await build()]
    const email = someEmail()
    await confirm(older, await linkFor(older, email))
    await confirm(newer, await linkFor(newer, email))
    expect(await recipientsOf(older)).toHaveLength(1)
    expect(await recipientsOf(newer)).toContainEqual({ email, verified_at: expect.any(String) })
    const told = await waitForMessage(harness.server.services, older.email, 'sale-mail-recipient-moved')
    expect(told.text).toContain(email)
  })

  it("may be another account's own, which then counts there no more", async () => {
    const [owner, newer] = [await build(), await build()]
    await confirm(newer, await linkFor(newer, owner.email))
    expect(await recipientsOf(owner)).toEqual([{ email: owner.email, verified_at: null }])
    expect(await deliver(owner, 'poshmark-sale')).toMatchObject({ reason: 'recipient' })
    await waitForMessage(harness.server.services, owner.email, 'sale-mail-recipient-moved')
    await confirm(owner, await linkFor(owner, owner.email))
    expect(await deliver(owner, 'poshmark-sale')).toMatchObject({ outcome: 'unmatched' })
    expect(await recipientsOf(newer)).toHaveLength(1)
  })

  it('gets three links a day, whoever asks', async () => {
    const email = someEmail()
    const sellers = await Promise.all(Array.from({ length: 4 }, () => build()))
    const replies = []
    for (const seller of sellers) replies.push((await add(seller, email)).status)
    expect(replies).toEqual([200, 200, 200, 429])
    expect(await messagesTo(harness.server.services, email)).toHaveLength(3)
    expect((await add(sellers[3]!, someEmail())).status).toBe(200)
  })

  it('is asked for by verified accounts alone', async () => {
    const seller = await build()
    const { db } = harness.server.services
    await db.none('update app_user set email_verified = false where id = $1', [seller.user_id])
    const email = someEmail()
    expect(await add(seller, email)).toMatchObject({ status: 409, body: { code: 'conflict' } })
    expect(await messagesTo(harness.server.services, email)).toEqual([])
    await db.none("update app_user set phone_verified = true, phone_number = '+14155550137' where id = $1", [
      seller.user_id,
    ])
    expect((await add(seller, email)).status).toBe(200)
  })

  it('is no address, or one too many', async () => {
    const seller = await build()
    expect(await add(seller, 'nobody')).toMatchObject({ status: 400, body: { code: 'invalid_request' } })
    for (let count = 0; count < 10; count++) expect((await add(seller, someEmail())).status).toBe(200)
    expect([409, 429]).toContain((await add(seller, someEmail())).status)
  })
})

describe('credentials', () => {
  it('of a key read and resolve messages only', async () => {
    const seller = await build()
    const byKey = { bearer: seller.key as never }
    expect(await call(byKey, 'GET', 'messages/')).toMatchObject({ status: 200, body: { count: 0, results: [] } })
    for (const [method, path] of [
      ['GET', ''],
      ['POST', 'rotate/'],
      ['DELETE', 'mailbox/'],
    ] as const) {
      expect(await call(byKey, method, path)).toMatchObject({ status: 403, body: { code: 'wrong_credential_kind' } })
    }
  })
})
