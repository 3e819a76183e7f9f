// Writes the calls that Roslyn resolves in a project, as lines `caller callee` of `file:line`, sorted.
// Usage: CSharpCalls ROOT SYMBOLS REFERENCES FOLDER...; SYMBOLS are those of `#if`, separated by commas, REFERENCES a folder of assemblies.
// The line is that of the definition's name; a constructor stands for its class; code outside of methods belongs to its type.
using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

static class CSharpCalls
{
    static string root;

    static void Main(string[] args)
    {
        root = Path.GetFullPath(args[0]) + "/";
        var options = new CSharpParseOptions(LanguageVersion.Latest, preprocessorSymbols: args[1].Split(','));
        var trees = args.Skip(3)
            .SelectMany(folder => Directory.EnumerateFiles(root + folder, "*.cs", SearchOption.AllDirectories))
            .Select(file => CSharpSyntaxTree.ParseText(File.ReadAllText(file), options, file)).ToList();
        var references = Directory.EnumerateFiles(args[2], "*.dll").Where(IsManaged)
            .Select(file => MetadataReference.CreateFromFile(file));
        var settings = new CSharpCompilationOptions(OutputKind.DynamicallyLinkedLibrary, allowUnsafe: true);
        var compilation = CSharpCompilation.Create("gold", trees, references, settings);
        var errors = compilation.GetDiagnostics().Where(one => one.Severity == DiagnosticSeverity.Error).ToList();
        Console.Error.WriteLine($"{trees.Count} files, {errors.Count} errors");
        errors.GroupBy(one => one.Id).OrderByDescending(group => group.Count()).Take(5).ToList()
            .ForEach(group => Console.Error.WriteLine($"{group.Count()} {group.First()}"));
        var calls = new SortedSet<string>(StringComparer.Ordinal);
        foreach (var tree in trees)
        {
            var model = compilation.GetSemanticModel(tree);
            foreach (var node in tree.GetRoot().DescendantNodes())
            {
                if (!(node is InvocationExpressionSyntax || node is ObjectCreationExpressionSyntax))
                    continue;
                var callee = Definition(model.GetSymbolInfo(node).Symbol as IMethodSymbol);
                var caller = Caller(model, node);
                if (caller == null || callee == null)
                    continue;
                foreach (var target in callee.Select(Place).Where(one => one != null).Take(1))
                    calls.Add(caller + " " + target);
            }
        }
        foreach (var call in calls)
            Console.WriteLine(call);
    }

    static bool IsManaged(string file)
    {
        try
        {
            System.Reflection.AssemblyName.GetAssemblyName(file);
            return true;
        }
        catch (BadImageFormatException)
        {
            return false;
        }
    }

    static IEnumerable<Location> Definition(IMethodSymbol method)
    {
        if (method == null)
            return null;
        method = (method.ReducedFrom ?? method).OriginalDefinition;
        method = method.PartialImplementationPart ?? method;
        if (method.MethodKind == MethodKind.LocalFunction || method.MethodKind == MethodKind.DelegateInvoke)
            return null;
        var symbol = method.MethodKind == MethodKind.Constructor ? (ISymbol)method.ContainingType : method;
        return symbol.Locations.Where(one => one.IsInSource);
    }

    static string Caller(SemanticModel model, SyntaxNode node)
    {
        for (var at = node.Parent; at != null; at = at.Parent)
        {
            if (at is LocalFunctionStatementSyntax || at is AccessorDeclarationSyntax)
                continue;
            if (at is BaseMethodDeclarationSyntax || at is PropertyDeclarationSyntax || at is IndexerDeclarationSyntax
                || at is EventDeclarationSyntax || at is BaseTypeDeclarationSyntax)
                return model.GetDeclaredSymbol(at)?.Locations.Where(one => one.SourceTree == node.SyntaxTree).Select(Place).FirstOrDefault();
        }
        return null;
    }

    static string Place(Location location)
    {
        var span = location.GetLineSpan();
        return span.Path.StartsWith(root) ? $"{span.Path.Substring(root.Length)}:{span.StartLinePosition.Line + 1}" : null;
    }
}
