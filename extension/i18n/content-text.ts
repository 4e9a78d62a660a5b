import { createText } from './create-text.ts'
import { commonMessages } from './en/common.ts'
import { contentMessages } from './en/content.ts'

const messages = { ...commonMessages, ...contentMessages }
export type PageTextName = keyof typeof messages

/** Messages of content scripts. Every marketplace page loads them, so they exclude those of our own pages. */
export const { text, textIfAny } = createText(messages)
