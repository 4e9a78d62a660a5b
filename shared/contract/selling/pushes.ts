import { z } from 'zod'
import { param } from '../declaring/params.ts'
import { routesOf } from '../declaring/route.ts'

const route = routesOf('Webhooks')
const Anything = z.looseObject({})
const challengeQuery = z.object({
  challenge_code: z.string().min(1).max(500).meta(param('The code that eBay sends')),
})
const ChallengeAnswer = z.object({ challengeResponse: z.string().describe('The answer that eBay expects') })

/** Only a hint: the order is fetched from eBay before anything changes. */
export const receiveEbayPush = route({
  summary: "eBay's pushes about orders",
  method: 'POST',
  path: '/webhooks/ebay/',
  auth: 'none',
  body: Anything.describe('Signed by eBay in the header X-EBAY-SIGNATURE'),
  replies: { 204: null },
  errors: ['signature_refused'],
})

/** eBay verifies an endpoint with this challenge before it sends there. */
export const answerEbayChallenge = route({
  summary: "eBay's question whether the address of its pushes is ours",
  method: 'GET',
  path: '/webhooks/ebay/',
  auth: 'none',
  query: challengeQuery,
  replies: { 200: ChallengeAnswer },
  errors: ['not_found'],
})

/** Only a hint: the order is fetched from Etsy before anything changes, and no URL in the push is called. */
export const receiveEtsyPush = route({
  summary: "Etsy's pushes about orders",
  method: 'POST',
  path: '/webhooks/etsy/',
  auth: 'none',
  body: Anything.describe('Signed by Etsy in the manner of Standard Webhooks'),
  replies: { 204: null },
  errors: ['invalid_signature'],
})

/** Required of every production application of eBay. */
export const receiveEbayAccountDeletion = route({
  summary: "eBay's notice that a user's data is to be erased",
  method: 'POST',
  path: '/webhooks/ebay/account-deletion/',
  auth: 'none',
  body: Anything.describe('Signed by eBay in the header X-EBAY-SIGNATURE'),
  replies: { 204: null },
  errors: ['signature_refused'],
})

export const answerEbayDeletionChallenge = route({
  summary: "eBay's question whether the address of its erasure notices is ours",
  method: 'GET',
  path: '/webhooks/ebay/account-deletion/',
  auth: 'none',
  query: challengeQuery,
  replies: { 200: ChallengeAnswer },
  errors: ['not_found'],
})

/** Mounted separately, since their signatures cover the raw body; declared for the API document. */
export const pushWebhooks = {
  receiveEbayPush,
  answerEbayChallenge,
  receiveEtsyPush,
  receiveEbayAccountDeletion,
  answerEbayDeletionChallenge,
}
