import { expect, it } from 'vitest'
import { failureAction } from './failure-action.ts'

const server = 'https://hapax.example.com'

it.each([
  ['address_required', 'Add address', `${server}/app/#account/address`],
  ['subscription_required', 'Subscribe', `${server}/app/#account/subscription`],
  ['connection_required', 'Connect', `${server}/app/#shops`],
  ['reconnect_required', 'Reconnect', `${server}/app/#shops`],
])('links %s to what solves it', (code, label, href) => {
  expect(failureAction(code, server)).toEqual({ label, href })
})

it.each(['not_available', null])('has no link for %s', (code) => {
  expect(failureAction(code, server)).toBeUndefined()
})
