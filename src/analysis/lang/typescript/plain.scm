(type_assertion) @hook.assertion
