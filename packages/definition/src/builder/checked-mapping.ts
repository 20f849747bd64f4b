/**
 * What a mapping may be where a type is expected, as far as the types of its sources are known: a path goes through
 * members that are there, what it finds fits, and no required member is missing. Everything that the compiler knows
 * nothing about, and every mapping that is not written in place, is allowed. Spec: DEF-mapping-operators, DEF-data-flow.
 */
import type { Json } from "@swl/base";

/** The evaluation context, as types. */
export interface Scope {
  readonly input: unknown;
  readonly nodes: unknown;
  readonly from: unknown;
  readonly run: { readonly id: string; readonly definition: string };
}

/** The mapping itself where it fits; where not, the nearest thing that would. */
export type CheckedMapping<Mapping, Context, Expected> = Json extends Mapping
  ? Mapping
  : Mapping extends { readonly $get: infer Path }
    ? { readonly $get: CheckedPath<Path, Context, Expected> }
    : Mapping extends { readonly $literal: infer Literal }
      ? { readonly $literal: Literal extends Expected ? Literal : Expected }
      : Mapping extends readonly unknown[]
        ? { readonly [Index in keyof Mapping]: CheckedMapping<Mapping[Index], Context, ItemOf<Expected>> }
        : Mapping extends object
          ? CheckedObject<Mapping, Context, Expected>
          : Mapping extends Expected
            ? Mapping
            : Expected;

type CheckedObject<Mapping, Context, Expected> = Flat<
  {
    readonly [Key in keyof Mapping]: CheckedMapping<Mapping[Key], Context, MemberOf<Expected, Key>>;
  } & (string extends keyof Mapping ? unknown : MissingMembers<Mapping, Expected>)
>;

type Flat<Type> = { [Key in keyof Type]: Type[Key] } & {};

/** Members that are expected and that the mapping does not have: the compiler names the first. */
type MissingMembers<Mapping, Expected> = {
  readonly [Key in Exclude<RequiredKey<Expected>, keyof Mapping>]: Expected[Key];
};

type RequiredKey<Type> = unknown extends Type
  ? never
  : Type extends object
    ? { [Key in keyof Type]-?: Type extends { readonly [K in Key]: unknown } ? Key : never }[keyof Type]
    : never;

type ItemOf<Type> = unknown extends Type ? unknown : Extract<Type, readonly unknown[]>[number];
type MemberOf<Type, Key> = unknown extends Type ? unknown : Key extends keyof Type ? Type[Key] : unknown;

/** A path of known length; any other is allowed. */
type CheckedPath<Path, Context, Expected> = Path extends readonly [infer Root, ...infer Rest]
  ? Root extends keyof Context
    ? readonly [Root, ...CheckedSteps<Rest, Context[Root], Expected>]
    : readonly ["input" | "nodes" | "from" | "run", ...Rest]
  : Path;

/** Steps into a type; what they end at must fit, or the last one is told what it is. */
type CheckedSteps<Steps, Type, Expected> = unknown extends Type
  ? Extract<Steps, readonly unknown[]>
  : Steps extends readonly [infer Step, ...infer Rest]
    ? Step extends KeyOf<Type>
      ? Rest extends readonly []
        ? readonly [
            Fits<Found<Type, Step>, Expected> extends true ? Step : Mismatch<Found<Type, Step>, Expected>,
          ]
        : readonly [Step, ...CheckedSteps<Rest, Found<Type, Step>, Expected>]
      : readonly [[KeyOf<Type>] extends [never] ? "there is nothing inside" : KeyOf<Type>, ...Rest]
    : readonly [];

type KeyOf<Type> = Type extends readonly unknown[] ? number : Type extends object ? keyof Type : never;

type Found<Type, Step> = Exclude<
  Type extends object ? (Step extends keyof Type ? Type[Step] : never) : never,
  undefined
>;

/** False when nothing that may stand there fits: which of several outcomes leads here is not looked at. */
type Fits<Type, Expected> = unknown extends Type
  ? true
  : true extends (Type extends Expected ? true : false)
    ? true
    : false;

type Mismatch<Type, Expected> = `${Word<Type>} stands there, and ${Word<Expected>} is expected`;

/** A type in one word of a message. */
type Word<Type> = [Type] extends [string]
  ? "a text"
  : [Type] extends [number]
    ? "a number"
    : [Type] extends [boolean]
      ? "true or false"
      : [Type] extends [null]
        ? "null"
        : [Type] extends [readonly unknown[]]
          ? "a list"
          : [Type] extends [object]
            ? "an object"
            : "another type";
