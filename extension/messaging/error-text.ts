import { createText } from '#extension/i18n/create-text.ts'
import { commonMessages } from '#extension/i18n/en/common.ts'
import { pageMessages } from '#extension/i18n/en/page.ts'
import { describeError } from './message-error.ts'

const { textIfAny } = createText({ ...commonMessages, ...pageMessages })

/** Returns an error of our own pages in the seller's words. */
export const errorText = (error: unknown): string => describeError(error, textIfAny)
