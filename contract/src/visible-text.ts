// chunk: base

// What a text needs so that somebody can see it. Apart from fields.ts, because pages that validate nothing else need it.

// neither white space, nor control and format characters (zero-width ones among them), nor marks without a letter to stand
// on, nor letters that are drawn as nothing (fillers, a blank braille pattern)
const VISIBLE_CHARACTER = /[^\s\p{Cc}\p{Cf}\p{Cs}\p{M}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/u

/** Returns whether a text people write has at least one character that can be seen; without one it counts as empty. */
export const hasVisibleCharacter = (text: string): boolean => VISIBLE_CHARACTER.test(text)
