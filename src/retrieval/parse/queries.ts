import type { CodeLanguage } from '../domain/chunking/code-files.ts'

/**
 * Patterns to match in a syntax tree. A definition is captured by its kind, its name by `@name`, the type of a method
 * written outside it by `@scope`; C and C++ have the name inside a `@declarator`. `@import` and `@call` capture the
 * names themselves.
 */
export interface LanguageQuery {
  /** File in the grammar package, without `tree-sitter-` and `.wasm`. */
  readonly grammar: string
  readonly query: string
}

const javascript = `
  [(function_declaration name: (_) @name) (generator_function_declaration name: (_) @name)] @function
  (class_declaration name: (_) @name) @class
  (class_body (method_definition name: (_) @name) @method)
  (variable_declarator name: (identifier) @name value: [(arrow_function) (function_expression) (generator_function)]) @function
  (variable_declarator name: (identifier) @name value: (class)) @class
  (assignment_expression left: (member_expression property: (_) @name) right: [(arrow_function) (function_expression)]) @function
  (program (lexical_declaration (variable_declarator name: (identifier) @name)) @constant)
  (program (export_statement (lexical_declaration (variable_declarator name: (identifier) @name)) @constant))
  (import_statement source: (string (string_fragment) @import))
  (export_statement source: (string (string_fragment) @import))
  (call_expression function: (import) arguments: (arguments . (string (string_fragment) @import)))
  (call_expression function: (identifier) @_require arguments: (arguments . (string (string_fragment) @import)) (#eq? @_require "require"))
  (call_expression function: [(identifier) @call (member_expression property: (_) @call)])
  (new_expression constructor: [(identifier) @call (member_expression property: (_) @call)])
`

const jsClassFields = `
  (field_definition property: (_) @name value: [(arrow_function) (function_expression)]) @method
`

const typescript = `${javascript}
  (abstract_class_declaration name: (_) @name) @class
  (interface_declaration name: (_) @name) @interface
  (type_alias_declaration name: (_) @name) @type
  (enum_declaration name: (_) @name) @enum
  (internal_module name: (_) @name) @module
  (module name: (_) @name) @module
  (function_signature name: (_) @name) @function
  (abstract_method_signature name: (_) @name) @method
  (public_field_definition name: (_) @name value: [(arrow_function) (function_expression)]) @method
`

const jsx = `
  (jsx_opening_element name: (identifier) @call (#match? @call "^[A-Z]"))
  (jsx_self_closing_element name: (identifier) @call (#match? @call "^[A-Z]"))
`

const python = `
  (function_definition name: (_) @name) @function
  (class_definition name: (_) @name) @class
  (module (expression_statement (assignment left: (identifier) @name)) @constant)
  (import_statement name: [(dotted_name) @import (aliased_import name: (_) @import)])
  (import_from_statement module_name: (_) @import)
  (call function: [(identifier) @call (attribute attribute: (_) @call)])
`

const go = `
  (function_declaration name: (_) @name) @function
  (method_declaration receiver: (parameter_list (parameter_declaration type: [
    (type_identifier) @scope
    (generic_type type: (_) @scope)
    (pointer_type [(type_identifier) @scope (generic_type type: (_) @scope)])
  ])) name: (_) @name) @method
  (type_spec name: (_) @name type: (struct_type)) @class
  (type_spec name: (_) @name type: (interface_type)) @interface
  (type_spec name: (_) @name) @type
  (type_alias name: (_) @name) @type
  (source_file (const_declaration (const_spec name: (_) @name) @constant))
  (source_file (var_declaration (var_spec name: (_) @name) @constant))
  (import_spec path: (_) @import)
  (call_expression function: [(identifier) @call (selector_expression field: (_) @call)])
`

const rust = `
  (function_item name: (_) @name) @function
  (trait_item body: (declaration_list (function_signature_item name: (_) @name) @method))
  (struct_item name: (_) @name) @class
  (union_item name: (_) @name) @class
  (enum_item name: (_) @name) @enum
  (trait_item name: (_) @name) @interface
  (impl_item type: [(type_identifier) @name (generic_type type: (_) @name) (scoped_type_identifier name: (_) @name)]) @implementation
  (mod_item name: (_) @name) @module
  (type_item name: (_) @name) @type
  (macro_definition name: (_) @name) @macro
  [(const_item name: (_) @name) (static_item name: (_) @name)] @constant
  (use_declaration argument: (_) @import)
  (call_expression function: [(identifier) @call (field_expression field: (_) @call) (scoped_identifier name: (_) @call)])
  (macro_invocation macro: [(identifier) @call (scoped_identifier name: (_) @call)])
`

const java = `
  [(class_declaration name: (_) @name) (record_declaration name: (_) @name)] @class
  [(interface_declaration name: (_) @name) (annotation_type_declaration name: (_) @name)] @interface
  (enum_declaration name: (_) @name) @enum
  [(method_declaration name: (_) @name) (constructor_declaration name: (_) @name) (compact_constructor_declaration name: (_) @name)] @method
  (import_declaration (scoped_identifier) @import)
  (method_invocation name: (_) @call)
  (object_creation_expression type: [(type_identifier) @call (generic_type (type_identifier) @call)])
`

const cpp = `
  (function_definition declarator: (_) @declarator) @function
  (class_specifier name: (_) @name body: (_)) @class
  (struct_specifier name: (_) @name body: (_)) @class
  (union_specifier name: (_) @name body: (_)) @class
  (enum_specifier name: (_) @name body: (_)) @enum
  (namespace_definition name: (_) @name) @module
  (type_definition declarator: (type_identifier) @name) @type
  (alias_declaration name: (_) @name) @type
  (preproc_def name: (_) @name) @macro
  (preproc_function_def name: (_) @name) @macro
  (preproc_include path: (_) @import)
  (call_expression function: [
    (identifier) @call
    (field_expression field: (_) @call)
    (qualified_identifier name: (identifier) @call)
    (qualified_identifier name: (qualified_identifier name: (identifier) @call))
    (template_function name: (identifier) @call)
  ])
`

const csharp = `
  [(class_declaration name: (_) @name) (record_declaration name: (_) @name) (struct_declaration name: (_) @name)] @class
  (interface_declaration name: (_) @name) @interface
  (enum_declaration name: (_) @name) @enum
  (delegate_declaration name: (_) @name) @type
  [(namespace_declaration name: (_) @name) (file_scoped_namespace_declaration name: (_) @name)] @module
  [(method_declaration name: (_) @name) (constructor_declaration name: (_) @name) (destructor_declaration name: (_) @name)] @method
  (property_declaration name: (_) @name) @method
  (local_function_statement name: (_) @name) @function
  (using_directive (qualified_name) @import)
  (using_directive !name (identifier) @import)
  (invocation_expression function: [(identifier) @call (generic_name (identifier) @call) (member_access_expression name: [(identifier) @call (generic_name (identifier) @call)])])
  (object_creation_expression type: [(identifier) @call (generic_name (identifier) @call)])
`

const ruby = `
  [(method name: (_) @name) (singleton_method name: (_) @name)] @function
  [(class name: (_) @name) (singleton_class value: (_) @name)] @class
  (module name: (_) @name) @module
  (assignment left: (constant) @name) @constant
  (call method: (identifier) @_require arguments: (argument_list . (string (string_content) @import)) (#any-of? @_require "require" "require_relative" "load"))
  (call method: (_) @call)
`

const php = `
  (function_definition name: (_) @name) @function
  (method_declaration name: (_) @name) @method
  [(class_declaration name: (_) @name) (trait_declaration name: (_) @name)] @class
  (interface_declaration name: (_) @name) @interface
  (enum_declaration name: (_) @name) @enum
  (namespace_definition name: (_) @name body: (_)) @module
  (program (const_declaration (const_element (name) @name)) @constant)
  (namespace_use_clause [(qualified_name) @import (name) @import])
  [(require_expression [(string (string_content) @import) (parenthesized_expression (string (string_content) @import))])
   (require_once_expression [(string (string_content) @import) (parenthesized_expression (string (string_content) @import))])
   (include_expression [(string (string_content) @import) (parenthesized_expression (string (string_content) @import))])
   (include_once_expression [(string (string_content) @import) (parenthesized_expression (string (string_content) @import))])]
  (function_call_expression function: [(name) @call (qualified_name (name) @call)])
  (member_call_expression name: (name) @call)
  (nullsafe_member_call_expression name: (name) @call)
  (scoped_call_expression name: (name) @call)
  (object_creation_expression [(name) @call (qualified_name (name) @call)])
`

const shell = `
  (function_definition name: (_) @name) @function
  (program (variable_assignment name: (variable_name) @name) @constant)
  (program (declaration_command (variable_assignment name: (variable_name) @name)) @constant)
  (command name: (command_name (word) @_source) . argument: (_) @import (#any-of? @_source "source" "."))
  (command name: (command_name (word) @call))
`

export const QUERIES: Readonly<Record<CodeLanguage, LanguageQuery>> = {
  typescript: { grammar: 'typescript', query: typescript },
  tsx: { grammar: 'tsx', query: typescript + jsx },
  javascript: { grammar: 'javascript', query: javascript + jsClassFields + jsx },
  python: { grammar: 'python', query: python },
  go: { grammar: 'go', query: go },
  rust: { grammar: 'rust', query: rust },
  java: { grammar: 'java', query: java },
  c: { grammar: 'cpp', query: cpp },
  cpp: { grammar: 'cpp', query: cpp },
  csharp: { grammar: 'c-sharp', query: csharp },
  ruby: { grammar: 'ruby', query: ruby },
  php: { grammar: 'php', query: php },
  shell: { grammar: 'bash', query: shell },
}
