//! Checks decoded facts: every index is in range.
//!
//! Resolution indexes the parts of a file by numbers that extraction made. Stored facts can be damaged in a way that no
//! checksum covers, or come from another program, so the numbers are checked where facts are decoded, and only there.

use super::*;

/// The bounds of the indexes by which the code of a file refers to its outline, and the outline to its code.
#[derive(Debug, Clone, Default)]
pub struct Bounds {
    names: usize,
    definitions: usize,
    imports: usize,
    /// Number of type parameters of each definition and extension.
    definition_parameters: Vec<u16>,
    extension_parameters: Vec<u16>,
    /// Expressions and scopes that the code must have.
    expressions: usize,
    scopes: usize,
}

/// Facts with an index out of range.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{0} is out of range")]
pub struct InvalidFacts(&'static str);

/// Returns an error that names `what`, unless `is_valid`.
fn require(is_valid: bool, what: &'static str) -> Result<(), InvalidFacts> {
    if is_valid { Ok(()) } else { Err(InvalidFacts(what)) }
}

impl Names {
    /// Checks that each name is in the text.
    ///
    /// # Errors
    /// When one is not.
    pub fn check(&self) -> Result<(), InvalidFacts> {
        let mut start = 0;
        for &end in &self.ends {
            let end = end as usize;
            require(start <= end && self.text.is_char_boundary(end), "a name")?;
            start = end;
        }
        Ok(())
    }
}

impl Outline {
    /// Checks every index of the outline, and returns the bounds of the file's code.
    ///
    /// # Errors
    /// When an index is out of range.
    pub fn bounds(&self) -> Result<Bounds, InvalidFacts> {
        self.names.check()?;
        let count = |parameters: &[TypeParameter]| parameters.len().min(usize::from(u16::MAX)) as u16;
        let mut bounds = Bounds {
            names: self.names.len(),
            definitions: self.definitions.len(),
            imports: self.imports.len(),
            definition_parameters: self.definitions.iter().map(|one| count(&one.type_parameters)).collect(),
            extension_parameters: self.extensions.iter().map(|one| count(&one.type_parameters)).collect(),
            // Scope 0 is the file's module level.
            expressions: 0,
            scopes: 1,
        };
        for (index, definition) in self.definitions.iter().enumerate() {
            bounds.add_definition(index, definition)?;
        }
        for extension in &self.extensions {
            bounds.name(extension.target_name)?;
            bounds.add_expression(extension.target);
            extension.implements.into_iter().for_each(|expr| bounds.add_expression(expr));
            bounds.add_scope(extension.scope);
            bounds.add_type_parameters(&extension.type_parameters)?;
        }
        for import in &self.imports {
            import.path.iter().try_for_each(|name| bounds.name(*name))?;
            if let ImportName::Named(name) = import.name {
                bounds.name(name)?;
            }
            bounds.add_scope(import.scope);
        }
        for binding in &self.bindings {
            bounds.binding(binding)?;
            bounds.add_scope(binding.scope);
            binding.expressions().into_iter().flatten().for_each(|expr| bounds.add_expression(expr));
        }
        self.package.map_or(Ok(()), |name| bounds.name(name))?;
        let mut last = 0;
        for &(first, end) in &self.unparsed {
            require(last < first && first <= end, "run of lines")?;
            last = end;
        }
        Ok(bounds)
    }
}

impl Code {
    /// Returns empty code to which an outline with these bounds can refer, instead of code that can't be read.
    pub fn placeholder(bounds: &Bounds) -> Code {
        let scope = Scope {
            parent: None,
            kind: ScopeKind::Module,
            definition: None,
            extension: None,
            module_name: None,
            extends: None,
        };
        Code {
            scopes: vec![scope; bounds.scopes],
            expressions: vec![Expr::Unknown; bounds.expressions],
            ..Code::default()
        }
    }

    /// Checks every index of the code.
    ///
    /// # Errors
    /// When an index is out of range, or the code belongs to another outline.
    pub fn check(&self, bounds: &Bounds) -> Result<(), InvalidFacts> {
        let (expressions, scopes) = (self.expressions.len(), self.scopes.len());
        require(bounds.expressions <= expressions, "an expression of the outline")?;
        require(bounds.scopes <= scopes, "a scope of the outline")?;
        let expression = |expr: ExprId| require((expr.0 as usize) < expressions, "an expression");
        let scope = |scope: ScopeId| require((scope.0 as usize) < scopes, "a scope");
        for (index, inner) in self.scopes.iter().enumerate() {
            // Scopes without cycles end at the module level.
            require(inner.parent.is_none_or(|parent| (parent.0 as usize) < index), "an enclosing scope")?;
            inner.definition.map_or(Ok(()), |id| bounds.definition(id))?;
            inner.extension.map_or(Ok(()), |id| bounds.extension(id))?;
            inner.module_name.map_or(Ok(()), |name| bounds.name(name))?;
        }
        for binding in &self.bindings {
            bounds.binding(binding)?;
            scope(binding.scope)?;
            binding.expressions().into_iter().flatten().try_for_each(expression)?;
        }
        for expr in &self.expressions {
            bounds.expression(expr)?;
            expr.try_for_each_child(expression)?;
        }
        for reference in &self.references {
            expression(reference.expr)?;
            scope(reference.scope)?;
            reference.source.map_or(Ok(()), |id| bounds.definition(id))?;
        }
        for signal in &self.signals {
            signal.source.map_or(Ok(()), |id| bounds.definition(id))?;
            match signal.kind {
                SignalKind::ReadsEnv(name)
                | SignalKind::SetsEnv(name)
                | SignalKind::Executes(name)
                | SignalKind::Endpoint(name) => bounds.name(name)?,
                SignalKind::Names { name, folder, .. } => {
                    bounds.name(name)?;
                    bounds.name(folder)?;
                }
                SignalKind::GatedBy { flag, scope: at } => {
                    bounds.name(flag)?;
                    at.map_or(Ok(()), scope)?;
                }
                SignalKind::Route { route, handler } => {
                    bounds.name(route)?;
                    handler.map_or(Ok(()), |(expr, at)| expression(expr).and_then(|()| scope(at)))?;
                }
            }
        }
        Ok(())
    }
}

impl Bounds {
    fn name(&self, name: Atom) -> Result<(), InvalidFacts> {
        require((name.0 as usize) < self.names, "a name")
    }

    fn definition(&self, id: DefId) -> Result<(), InvalidFacts> {
        require(id.index() < self.definitions, "a definition")
    }

    fn extension(&self, id: ExtensionId) -> Result<(), InvalidFacts> {
        require((id.0 as usize) < self.extension_parameters.len(), "an extension")
    }

    fn binding(&self, binding: &Binding) -> Result<(), InvalidFacts> {
        self.name(binding.name)?;
        let has = |counts: &[u16], owner: usize, index: u16| counts.get(owner).is_some_and(|count| index < *count);
        match binding.kind {
            BindingKind::Definition(id) => self.definition(id),
            BindingKind::Import(id) => require((id.0 as usize) < self.imports, "an import"),
            BindingKind::TypeParameter(id, index) => {
                require(has(&self.definition_parameters, id.index(), index), "a type parameter")
            }
            BindingKind::ExtensionParameter(id, index) => {
                require(has(&self.extension_parameters, id.0 as usize, index), "a type parameter")
            }
            BindingKind::Local { .. } | BindingKind::Parameter { .. } | BindingKind::Alias(_) => Ok(()),
        }
    }

    /// Checks the names and definitions of an expression.
    fn expression(&self, expr: &Expr) -> Result<(), InvalidFacts> {
        match expr {
            Expr::Name(name)
            | Expr::Root(name)
            | Expr::Member { name, .. }
            | Expr::Builtin { name, .. }
            | Expr::Labeled { label: name, .. } => self.name(*name),
            Expr::Object(members) => members.iter().try_for_each(|(name, _)| self.name(*name)),
            Expr::Definition(id) => self.definition(*id),
            _ => Ok(()),
        }
    }

    fn add_expression(&mut self, expr: ExprId) {
        self.expressions = self.expressions.max(expr.0 as usize + 1);
    }

    fn add_scope(&mut self, scope: ScopeId) {
        self.scopes = self.scopes.max(scope.0 as usize + 1);
    }

    fn add_type_parameters(&mut self, parameters: &[TypeParameter]) -> Result<(), InvalidFacts> {
        parameters.iter().try_for_each(|parameter| {
            parameter.bounds.iter().for_each(|expr| self.add_expression(*expr));
            self.name(parameter.name)
        })
    }

    fn add_definition(&mut self, index: usize, definition: &Definition) -> Result<(), InvalidFacts> {
        self.name(definition.name)?;
        definition.scope_names.iter().try_for_each(|name| self.name(*name))?;
        match definition.container {
            Container::Module => {}
            Container::Definition(id) => self.definition(id)?,
            Container::Extension(id) => self.extension(id)?,
        }
        // Enclosing definitions come before enclosed ones.
        require(definition.parent.is_none_or(|parent| parent.index() < index), "an enclosing definition")?;
        require(definition.span.start_byte <= definition.span.end_byte, "a span")?;
        self.add_type_parameters(&definition.type_parameters)?;
        definition.parameters.iter().try_for_each(|parameter| {
            let names = [Some(parameter.name), parameter.label, parameter.type_name];
            names.into_iter().flatten().try_for_each(|name| self.name(name))
        })?;
        let annotations = definition.parameters.iter().filter_map(|parameter| parameter.value_type);
        let bases = definition.bases.iter().map(|base| base.expr);
        let values = [definition.result, definition.value_type, definition.value].into_iter().flatten();
        let all = annotations.chain(bases).chain(values).chain(definition.returns.iter().copied());
        all.for_each(|expr| self.add_expression(expr));
        self.add_scope(definition.scope);
        definition.value_scope.into_iter().for_each(|scope| self.add_scope(scope));
        Ok(())
    }
}

impl Binding {
    fn expressions(&self) -> [Option<ExprId>; 2] {
        match self.kind {
            BindingKind::Local { value_type, value } | BindingKind::Parameter { value_type, value } => {
                [value_type, value]
            }
            BindingKind::Alias(expr) => [Some(expr), None],
            _ => [None, None],
        }
    }
}

impl Expr {
    fn try_for_each_child<E>(&self, mut visit: impl FnMut(ExprId) -> Result<(), E>) -> Result<(), E> {
        match self {
            Expr::Unknown
            | Expr::Name(_)
            | Expr::Receiver
            | Expr::ReceiverType
            | Expr::Parent
            | Expr::Root(_)
            | Expr::Definition(_) => Ok(()),
            Expr::Member { base: child, .. }
            | Expr::Instance(child)
            | Expr::Index(child)
            | Expr::Element(child)
            | Expr::Item(child, _)
            | Expr::Unwrap(child)
            | Expr::ParentOf(child)
            | Expr::Labeled { value: child, .. }
            | Expr::TypeOf(child)
            | Expr::LambdaParameter { call: child, .. }
            | Expr::ArgumentOf { call: child, .. }
            | Expr::ParameterOf { function: child, .. } => visit(*child),
            Expr::Call { callee: first, args } | Expr::Apply { base: first, args } => {
                visit(*first)?;
                args.iter().copied().try_for_each(visit)
            }
            Expr::Union(children)
            | Expr::Tuple(children)
            | Expr::FirstOf(children)
            | Expr::Builtin { args: children, .. } => children.iter().copied().try_for_each(visit),
            Expr::Function { params, result } => params.iter().chain(result).copied().try_for_each(visit),
            Expr::Object(members) => members.iter().map(|(_, child)| *child).try_for_each(visit),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facts() -> FileFacts {
        let mut builder = FactsBuilder::new();
        let expr = builder.name("bread");
        builder.member(expr, "bake");
        let name = builder.atom("bread");
        builder.bind(ScopeId(0), name, 0, BindingKind::Alias(expr));
        builder.finish()
    }

    #[test]
    fn extracted_facts_are_valid() {
        let FileFacts { outline, code, .. } = facts();
        code.check(&outline.bounds().unwrap()).unwrap();
    }

    #[test]
    fn indexes_out_of_range_are_rejected() {
        let changes: [fn(&mut FileFacts); 6] = [
            |facts| facts.outline.bindings[0].kind = BindingKind::Alias(ExprId(9)),
            |facts| facts.outline.bindings[0].kind = BindingKind::Definition(DefId::from_index(0)),
            |facts| facts.outline.bindings[0].scope = ScopeId(7),
            |facts| facts.outline.package = Some(Atom(100)),
            |facts| facts.code.scopes[0].parent = Some(ScopeId(0)),
            |facts| facts.code.expressions[1] = Expr::Name(Atom(100)),
        ];
        for change in changes {
            let mut facts = facts();
            change(&mut facts);
            let checked = facts.outline.bounds().and_then(|bounds| facts.code.check(&bounds));
            assert!(checked.is_err(), "{facts:?}");
        }
    }

    #[test]
    fn runs_of_lines_that_overlap_or_end_before_they_begin_are_rejected() {
        for unparsed in [vec![(0, 1)], vec![(3, 2)], vec![(1, u32::MAX), (1, u32::MAX)]] {
            let mut outline = facts().outline;
            outline.unparsed = unparsed;
            assert!(outline.bounds().is_err());
        }
    }

    #[test]
    fn names_that_overlap_or_split_a_letter_are_rejected() {
        for ends in [vec![2, 1], vec![1], vec![9]] {
            assert!(Names { text: "äb".into(), ends }.check().is_err());
        }
    }
}
