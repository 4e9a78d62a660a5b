/** Largest answer of a platform that is taken, in characters: some forty times a closet page. */
export const maxAnswerChars = 8_000_000
